/**
 * A function that runs in the page. Its file is imported by address, so that the compiler reads it with the types of a
 * browser (studio/tsconfig.json) and not with those of Node.
 */
export async function inPage<F>(file: string, name: string): Promise<F> {
  const { [name]: found } = (await import(new URL(`./in-page/${file}`, import.meta.url).href)) as Record<
    string,
    F
  >
  if (!found) throw new Error(`${file} exports no ${name}`)
  return found
}
