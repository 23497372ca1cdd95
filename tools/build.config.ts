import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/*
 * How dist/ is made of src/ with Vite: modules that are loaded together become one file, packages stay outside. Modules
 * with which threads and processes start keep their paths, and `import.meta.url` is the address that a module would have if
 * each had a file of its own.
 */
const source = path.join(import.meta.dirname, '../src')

/** The program, and every module that another one names by `besideModule`; by their paths in dist/ without an ending. */
function entries(): Record<string, string> {
  const names = ['main']
  for (const file of globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] }))
    for (const [, name = ''] of textOf(file).matchAll(
      /^(?! \*).*besideModule\(import\.meta\.url, '([^']+)'\)/gm,
    ))
      names.push(path.join(path.dirname(file), name))
  return Object.fromEntries(names.map((name) => [name, path.join(source, `${name}.ts`)]))
}

const textOf = (file: string) => readFileSync(path.join(source, file), 'utf8')

/** Replaces `import.meta.url` while modules are joined, and puts the address from the place of the joined file there. */
const ownAddresses = {
  name: 'own-addresses',
  enforce: 'pre',
  transform(code: string, id: string) {
    if (!id.startsWith(source) || !code.includes('import.meta.')) return undefined
    const address = path.relative(source, id).replace(/\.ts$/, '.js')
    return code.replaceAll('import.meta.url', `__ADDRESS__(${JSON.stringify(address)})`)
  },
  renderChunk(code: string, { fileName }: { fileName: string }) {
    if (code.includes('import.meta.dirname'))
      throw new Error(`import.meta.dirname cannot be used: ${fileName}`)
    return code.replaceAll(/__ADDRESS__\("([^"]+)"\)/g, (_, address: string) => {
      const place = path.relative(path.dirname(fileName), address)
      return `new URL(${JSON.stringify(place)}, import.meta.url).href`
    })
  },
}

export default {
  root: path.join(import.meta.dirname, '..'),
  configFile: false,
  plugins: [ownAddresses],
  build: {
    ssr: true,
    emptyOutDir: true,
    target: 'es2024',
    minify: false,
    copyPublicDir: false,
    rolldownOptions: {
      input: entries(),
      output: { entryFileNames: '[name].js', chunkFileNames: 'joined/[name]-[hash].js' },
    },
  },
}
