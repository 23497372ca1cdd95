import { type Extracted, FORMAT_READERS } from './format-readers.ts'

/** What a child answers about a file: its text and what it has cost, or why there is none. */
export type ReaderAnswer = (Extracted & { cpuMs: number }) | { failed: string }

/** The process of one reader, named by the first argument: it answers file after file. */
const read = await FORMAT_READERS[process.argv[2]!]!.load()
process.on('message', async (file: string) => process.send!(await answer(file)))
process.on('disconnect', () => process.exit(0))
// A promise rejection without a handler does not end the process.
process.on('unhandledRejection', () => {})

async function answer(file: string): Promise<ReaderAnswer> {
  const before = process.cpuUsage()
  try {
    const extracted = await read(file)
    const { user, system } = process.cpuUsage(before)
    return { ...extracted, cpuMs: (user + system) / 1000 }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}
