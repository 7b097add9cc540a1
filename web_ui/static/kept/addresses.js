// Where a page that is one file finds its own parts: its import map has them all.

const { imports } = JSON.parse(document.querySelector('script[type="importmap"]').textContent);

export const isThere = (plain) => `digside:${plain}` in imports;

export const addressOf = (plain) => imports[`digside:${plain}`] ?? plain;
