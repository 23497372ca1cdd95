import path from 'node:path/posix'
import type { Metadata } from '../../contract/document.ts'
import { SluiceError } from '../../kit/errors.ts'
import { Extraction } from '../extraction.ts'
import { passwordUseless } from '../file-locked.ts'
import type { FileLimits } from '../limits.ts'
import { type ElementRules, readXmlInSteps } from '../xml.ts'
import { openZip, type Zip } from '../zip.ts'

/** A reference from one part to another; `type` is the last word of the URI, equal in transitional and strict files. */
export type Relationship = { type: string; target: string }

/**
 * A Word, PowerPoint or Excel file (Open Packaging Conventions, ECMA-376 part 2): opens its parts, follows their
 * relationships, and counts the text that is extracted. Part names are as in the archive: `word/document.xml`.
 * OpenDocument files and EPUB books are read by it too; they have parts, but no relationships.
 */
export class OfficePackage extends Extraction {
  readonly #file: string
  readonly #limits: FileLimits
  readonly #zip: Zip
  readonly #relationships = new Map<string, ReadonlyMap<string, Relationship>>()

  /** @throws SluiceError `file_unreadable`, `file_encrypted`, `file_over_limit`, as every method here */
  constructor(file: { bytes: Uint8Array; name: string }, limits: FileLimits) {
    super(file, limits)
    refuseOldContainer(file)
    this.#file = file.name
    this.#limits = limits
    this.#zip = openZip(file, limits)
  }

  has(part: string): boolean {
    return this.#zip.has(part)
  }

  /** Reads the main part; if it is damaged, the file fails. */
  readMain(part: string, rules: ElementRules): void {
    exhaust(this.readMainInSteps(part, rules))
  }

  /** Like {@link readMain}, for a long part. */
  *readMainInSteps(part: string, rules: ElementRules): Generator<undefined, void> {
    const bytes = this.#zip.read(part)
    if (bytes) yield* this.#steps(part, rules, bytes)
  }

  /** Reads another part; if it is damaged, a note is added and the file is read without it. A missing part is empty. */
  read(part: string, rules: ElementRules): void {
    exhaust(this.readInSteps(part, rules))
  }

  /** Like {@link read}, for a long part: between two steps the caller can yield what was read so far. */
  *readInSteps(part: string, rules: ElementRules, bytes = this.bytes(part)): Generator<undefined, void> {
    if (!bytes) return
    try {
      yield* this.#steps(part, rules, bytes)
    } catch (error) {
      this.#noteDamage(part, error)
    }
  }

  /** The bytes of a part, undefined where it is missing or damaged. */
  bytes(part: string): Uint8Array | undefined {
    try {
      return this.#zip.read(part)
    } catch (error) {
      this.#noteDamage(part, error)
      return undefined
    }
  }

  *#steps(part: string, rules: ElementRules, bytes: Uint8Array): Generator<undefined, void> {
    const errorCount = yield* readXmlInSteps(bytes, rules, this.#limits, { file: this.#file, part })
    if (errorCount === 0) return
    this.note(`${part} is not well-formed XML; some of its text may be missing`)
    this.drop('damagedPart', { part })
  }

  #noteDamage(part: string, error: unknown): void {
    if (!(error instanceof SluiceError) || error.code !== 'file_unreadable') throw error
    this.note(`${part} is damaged; some of its text is missing`)
    this.drop('damagedPart', { part })
  }

  /** The main part of the file; `usual` if no relationship names one. */
  mainPart(usual: string): string {
    const named = this.related('', 'officeDocument')[0]
    return named !== undefined && this.has(named) ? named : usual
  }

  /** The relationships of a part by id, without those that lead out of the file. */
  relationships(part: string): ReadonlyMap<string, Relationship> {
    const known = this.#relationships.get(part)
    if (known) return known
    const folder = path.dirname(part)
    const found = new Map<string, Relationship>()
    this.read(path.join(folder, '_rels', `${path.basename(part)}.rels`), {
      Relationship: {
        open({ Id: id, Target: target, Type: type = '', TargetMode: mode }) {
          if (id === undefined || target === undefined || mode === 'External') return
          found.set(id, { type: type.split('/').pop()!, target: resolve(folder, target) })
        },
      },
    })
    this.#relationships.set(part, found)
    return found
  }

  /** The parts of one relationship type that a part refers to, each once. */
  related(part: string, type: string): string[] {
    const targets = [...this.relationships(part).values()].filter(
      (relationship) => relationship.type === type,
    )
    return [...new Set(targets.map(({ target }) => target))]
  }

  /** Title, author and times, where the file has them. */
  properties(): Metadata {
    const found: Metadata = {}
    const keep = (key: string) => {
      let value = ''
      return {
        text: (text: string) => {
          value += text
        },
        close: () => {
          if (value.trim() !== '') found[key] = value.trim()
        },
      }
    }
    this.read(this.related('', 'core-properties')[0] ?? 'docProps/core.xml', {
      title: keep('title'),
      creator: keep('author'),
      created: keep('created'),
      modified: keep('modified'),
    })
    return found
  }
}

function exhaust(steps: Iterable<undefined>): void {
  for (const _ of steps) {
    // all steps at once: nothing to do in between
  }
}

function resolve(folder: string, target: string): string {
  return target.startsWith('/') ? path.normalize(target.slice(1)) : path.join(folder, target)
}

/** Compound files (MS-CFB) hold the Office formats before 2007, and the newer ones when a password protects them. */
function refuseOldContainer(file: { bytes: Uint8Array; name: string }): void {
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length)
  if (!bytes.subarray(0, 4).equals(COMPOUND_FILE)) return
  if (bytes.includes(ENCRYPTED_PACKAGE)) throw passwordUseless(file.name)
  const reason = 'it is in the format of Office 97-2003, whose endings are .doc, .ppt and .xls'
  throw new SluiceError('file_unreadable', { file: file.name, reason })
}

const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')
