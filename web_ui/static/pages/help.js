// The players' manual: the server has written it already, and all it lacks is what every page has.

export function start() {}
