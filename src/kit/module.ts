/**
 * The address of a module beside the caller's, for threads and processes that start with it: `.ts` in a checkout,
 * `.js` in an installed package, whichever the caller itself is.
 *
 * @example new Worker(besideModule(import.meta.url, './writer-thread'))
 */
export function besideModule(here: string, name: string): URL {
  return new URL(`${name}${here.endsWith('.ts') ? '.ts' : '.js'}`, here)
}

/**
 * The source of a thread that loads a module; `eval` has to be set. A thread has a compile cache of its own to turn on, and
 * does so before it loads what the cache is for.
 */
export const threadSource = (module: URL): string =>
  `require('node:module').enableCompileCache(); import(${JSON.stringify(module.href)})`
