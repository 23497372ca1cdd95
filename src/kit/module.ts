/**
 * The address of a module beside the caller's, for threads and processes that start with it: `.ts` in a checkout,
 * `.js` in an installed package, like the file of the caller.
 *
 * @example new Worker(besideModule(import.meta.url, './writer-thread'))
 */
export function besideModule(here: string, name: string): URL {
  return new URL(`${name}${here.endsWith('.ts') ? '.ts' : '.js'}`, here)
}

/**
 * The source of a thread that loads a module; `eval` must be set. It enables the compile cache of the thread before it
 * loads the module.
 */
export const threadSource = (module: URL): string =>
  `require('node:module').enableCompileCache(); import(${JSON.stringify(module.href)})`
