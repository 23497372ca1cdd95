import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { DocumentPart } from '../../src/contract/document.ts'
import type { FileType } from '../../src/contract/file-parser.ts'
import { createFileParser } from '../../src/formats/pool.ts'
import { manifestOf } from '../../test/support/corpus-docs.ts'

/** A file whose documents are cut, in parts as its reader gives them. */
export type CutFile = { name: string; parts: DocumentPart[] }

/** Files in order of what they have in common. `isProse`: their lines are sentences. */
export type CutGroup = { name: string; isProse: boolean; files: CutFile[] }

const READ: readonly FileType[] = ['pdf', 'docx', 'pptx', 'text', 'xlsx', 'csv', 'json']

/** The files of a corpus by format through the readers, and the documents of some collections by what they are. */
export async function cutGroups(corpus: string): Promise<CutGroup[]> {
  const docs = path.join(corpus, 'docs')
  const groups: CutGroup[] = []
  const parser = createFileParser({ readable: [docs], size: 1 })
  for (const type of READ) {
    const files: CutFile[] = []
    for (const { path: name = '' } of manifestOf(docs)) {
      if (!name.startsWith(type === 'text' ? 'txt/' : `${type}/`)) continue
      const parts: DocumentPart[] = []
      try {
        for await (const batch of parser.parse({ path: path.join(docs, name), name, type }))
          parts.push(...batch.parts)
        files.push({ name, parts })
      } catch {
        // Damaged and encrypted files are another bench's.
      }
    }
    groups.push({ name: type, isProse: type === 'pdf' || type === 'docx', files })
  }
  await parser.close()
  const markdown = readdirSync(path.join(docs, 'expected')).filter((name) => name.endsWith('.md'))
  groups.push({
    name: 'markdown',
    isProse: false,
    files: markdown.map((name) => whole(name, readFileSync(path.join(docs, 'expected', name), 'utf8'))),
  })
  return [...groups, ...collectionGroups(path.join(corpus, 'retrieval'))]
}

const PROSE = [
  'covidqa_longdocs',
  'anthropic_docs',
  'mtrag_conversations',
  'xquad_hi',
  'arcd_ar',
  'cmrc2018_zh_hans_dev',
  'jaquad_ja_dev',
  'piaf_fr',
  'xquad_de',
]

function collectionGroups(folder: string): CutGroup[] {
  const code = documentsOf(folder, 'flask_code')
  return [
    { name: 'python files', isProse: false, files: code.filter(({ name }) => name.endsWith('.py')) },
    { name: 'reStructuredText', isProse: false, files: code.filter(({ name }) => name.endsWith('.rst')) },
    { name: 'python functions', isProse: false, files: documentsOf(folder, 'cosqa_code_dev') },
    ...PROSE.map((name) => ({ name, isProse: name !== 'anthropic_docs', files: documentsOf(folder, name) })),
  ]
}

const documentsOf = (folder: string, collection: string): CutFile[] =>
  readFileSync(path.join(folder, collection, 'corpus.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { _id, text } = JSON.parse(line) as { _id: string; text: string }
      return whole(_id, text)
    })

const whole = (name: string, text: string): CutFile => ({
  name,
  parts: [{ pageContent: text, metadata: {}, last: true }],
})
