// Files have addresses that tell what is in them, so that a browser need not ask for one twice. Scripts find each other
// by the page's import map; what is no script is looked up in it here.

/** Whether there is such a script or sheet; where none is, nobody need ask for it. */
export const isThere = (plain) =>
  plain in JSON.parse(document.querySelector('script[type="importmap"]').textContent).imports;

/** The address under which a file may be kept; its plain one where the browser cannot look it up. */
export const addressOf = (plain) => import.meta.resolve?.(plain) ?? plain;
