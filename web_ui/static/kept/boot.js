// Answers what a page asks the service for from what this file has with it; it is set before any module runs.
const bytes = Uint8Array.from(atob(document.getElementById("kept").textContent), (letter) => letter.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const kept = new Response(unpacked).json();

/** A view put together from its parts: what does not change from step to step is in the file once. */
function viewOf({ parts, paths, views }, seq) {
  const view = { board: {} };
  for (const [path, part] of views[seq].fields) {
    const [first, second] = paths[path];
    if (second === undefined) view[first] = parts[part];
    else view[first][second] = parts[part];
  }
  return { ...view, log: views[seq].log.map((line) => parts[line]) };
}

globalThis.fetch = async (path) => {
  const all = await kept;
  const { pathname, searchParams } = new URL(path, "http://kept");
  const isView = pathname === `/api/tables/${all.table}`;
  const found = isView ? viewOf(all, Number(searchParams.get("seq") ?? all.views.length - 1)) : all.answers[pathname];
  return new Response(JSON.stringify(found ?? { error: { message: pathname } }), { status: found ? 200 : 404 });
};

globalThis.keptImport = (from, name) => import(`digside:${new URL(name, `http://kept${from}`).pathname}`);
