// A page that is not there: the server has said so already, and all it lacks is what every page has.

export function start() {}
