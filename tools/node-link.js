// Plain JavaScript, for the Node.js that runs npm, which may be an old one.
import path from 'node:path'

/*
 * How node_modules/.bin/node leads to a Node.js. A checkout that is moved keeps its own: a place in it is told from the folder of the
 * link. `paths` are those of the platform, for tests.
 */

/** The program in a package `node-PLATFORM-ARCH` of npm. */
export const programIn = (folder, platform, paths = path) =>
  paths.join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node')

/** Whether a place is in a folder or below it. Both are absolute. */
export function isWithin(folder, place, paths = path) {
  const relative = paths.relative(folder, place)
  // On another drive of Windows it is absolute.
  return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative)
}

/** What a link in the folder `programs` of a checkout says. */
export const linkTo = (node, { root, programs }, paths = path) =>
  isWithin(root, node, paths) ? paths.relative(programs, node) : node

/** The text of a `node.cmd` in the folder `programs` of a checkout. A batch file replaces `%NAME%` also between quotes. */
export function batchTo(node, { root, programs }, paths = path.win32) {
  const place = linkTo(node, { root, programs }, paths).split('%').join('%%')
  return `@"${isWithin(root, node, paths) ? '%~dp0' : ''}${place}" %*\r\n`
}
