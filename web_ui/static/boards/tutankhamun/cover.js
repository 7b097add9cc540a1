// The box as it stands on the shelf: a poster of our own drawing.
import { html, upTo } from "../../html.js";
import { rays } from "../../pieces/covers.js";

export const cover = () => html`
  <rect width="300" height="380" fill="#173f74" />
  <g fill="#e0b052" fill-opacity=".2">
    ${rays(150, 176, 60, 420, 26, 0, 360)}
  </g>
  <path
    d="M150 34C222 34 252 96 258 176C262 232 274 300 292 380H8C26 300 38 232 42 176C48 96 78 34 150 34Z"
    fill="#d79c2e"
  />
  <g fill="#1d4b87">
    ${upTo(10).map(
      (i) => html`
        <path
          d=${`M${52 - i * 3.6} ${128 + i * 26}
            C${70 - i} ${118 + i * 26} ${88 - i} ${120 + i * 26} 98 ${132 + i * 24}V${144 + i * 24}
            C${86 - i} ${132 + i * 26} ${68 - i} ${130 + i * 26} ${50 - i * 3.6} ${140 + i * 26}Z`}
        />
        <path
          d=${`M${248 + i * 3.6} ${128 + i * 26}
            C${230 + i} ${118 + i * 26} ${212 + i} ${120 + i * 26} 202 ${132 + i * 24}V${144 + i * 24}
            C${214 + i} ${132 + i * 26} ${232 + i} ${130 + i * 26} ${250 + i * 3.6} ${140 + i * 26}Z`}
        />
      `,
    )}
    <path
      d="M72 92C94 58 206 58 228 92L222 102C198 72 102 72 78 102ZM86 74C106 50 194 50 214 74L208 80
        C186 60 114 60 92 80Z"
    />
  </g>
  <path d="M92 132C94 80 206 80 208 132C212 196 188 262 150 262S88 196 92 132Z" fill="#f1c45c" />
  <path d="M150 92C206 92 214 140 207 180C200 230 176 262 150 262Z" fill="#d99f38" fill-opacity=".55" />
  <g fill="none" stroke="#14284a" stroke-width="6" stroke-linecap="round">
    <path d="M104 148C114 136 130 138 140 148M160 148C170 138 186 136 196 148" />
  </g>
  <path
    d="M104 168C114 156 132 158 140 168C130 178 114 178 104 168ZM160 168C168 158 186 156 196 168
      C186 178 170 178 160 168Z"
    fill="#fbf1d6"
    stroke="#14284a"
    stroke-width="4"
  />
  <circle cx="122" cy="168" r="7" fill="#14284a" />
  <circle cx="178" cy="168" r="7" fill="#14284a" />
  <path d="M104 168L84 176M196 168L216 176" stroke="#14284a" stroke-width="5" stroke-linecap="round" />
  <path
    d="M150 170L140 206C144 212 156 212 160 206M132 228C142 222 158 222 168 228C158 238 142 238 132 228Z"
    fill="#c9812b"
    stroke="#8a5217"
    stroke-width="3"
    stroke-linejoin="round"
  />
  <path d="M138 258H162L158 340H142Z" fill="#1d4b87" stroke="#d79c2e" stroke-width="4" />
  <path d="M140 278H160M141 296H159M142 314H158" stroke="#f1c45c" stroke-width="4" />
  <path
    d="M142 88C132 66 140 46 150 42C160 46 168 66 158 88Z"
    fill="#2f7d78"
    stroke="#14284a"
    stroke-width="4"
  />
  <circle cx="146" cy="56" r="2.500" fill="#fff" />
  <circle cx="154" cy="56" r="2.500" fill="#fff" />
  <g fill="none" stroke-width="10">
    <path d="M66 348C110 316 132 344 150 352C168 344 190 316 234 348" stroke="#b3402c" />
    <path d="M56 368C104 334 130 360 150 368C170 360 196 334 244 368" stroke="#2f7d78" />
  </g>
`;
