import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { randomBelow } from './random.ts'

/** The database of a stopped server, to be damaged. Pages are numbered from 1. */
export class DamagedFile {
  readonly file: string
  readonly #random: (below: number) => number

  constructor(directory: string, seed: number) {
    this.file = path.join(directory, 'sluice.db')
    this.#random = randomBelow(seed)
  }

  get #pageSize(): number {
    return readFileSync(this.file).readUInt16BE(16)
  }

  get pages(): number {
    return statSync(this.file).size / this.#pageSize
  }

  /** A page of a table or index by its kind, chosen by the seed. */
  page(name: string, kind: 'internal' | 'leaf' | 'overflow'): number {
    return this.#some(this.#pagesOf(name, kind))
  }

  /** The page at a place in the order of the keys; -1 is the last one. */
  nthPage(name: string, kind: 'internal' | 'leaf' | 'overflow', place: number): number {
    return this.#pagesOf(name, kind).at(place)!
  }

  /** Two pages of one kind. */
  twoPages(name: string, kind: 'internal' | 'leaf' | 'overflow'): [number, number] {
    const pages = this.#pagesOf(name, kind)
    const first = this.#some(pages)
    return [first, this.#some(pages.filter((page) => page !== first))]
  }

  /** The first page that lists free pages, and a page that it lists. */
  freePages(): { list: number; free: number } {
    const bytes = readFileSync(this.file)
    const list = bytes.readUInt32BE(32)
    if (list === 0) throw new Error('there is no free page')
    return { list, free: bytes.readUInt32BE((list - 1) * this.#pageSize + 8) }
  }

  noise(page: number): void {
    this.write((page - 1) * this.#pageSize, this.#noise(this.#pageSize))
  }

  /** The first page of a table or index. */
  root(name: string): number {
    const connection = new Connection(this.file, { readOnly: true })
    const { page } = connection.get<{ page: number }>(
      'SELECT rootpage AS page FROM sqlite_schema WHERE name = ?',
      name,
    )!
    connection.close()
    return page
  }

  /** Changes bytes of a long text that are in its overflow page, and nothing else. */
  changeOverflow(table: string, column: string): void {
    const page = this.page(table, 'overflow')
    const connection = new Connection(this.file, { readOnly: true })
    const values = connection
      .all<{ value: string }>(`SELECT ${column} AS value FROM ${table} WHERE length(${column}) > 8192`)
      .map(({ value }) => Buffer.from(value))
    connection.close()
    // The content of the page follows the number of the next page, and is a part of one value.
    const start = (page - 1) * this.#pageSize + 4
    const content = readFileSync(this.file).subarray(start, start + 16)
    if (!values.some((value) => value.includes(content))) throw new Error('the page is not of this column')
    this.noiseAt(start, 16)
  }

  zeros(page: number): void {
    this.write((page - 1) * this.#pageSize, Buffer.alloc(this.#pageSize))
  }

  swap([first, second]: [number, number]): void {
    const bytes = readFileSync(this.file)
    const content = (page: number) => bytes.subarray((page - 1) * this.#pageSize, page * this.#pageSize)
    const [one, other] = [Buffer.from(content(first)), Buffer.from(content(second))]
    this.write((first - 1) * this.#pageSize, other)
    this.write((second - 1) * this.#pageSize, one)
  }

  keep(bytes: number): void {
    truncateSync(this.file, bytes)
  }

  /** Changes the 25th byte of a value, in each place where the file has it: pages that were split keep old bytes. */
  changeByteOf(sql: string): void {
    const connection = new Connection(this.file, { readOnly: true })
    const value = Object.values(connection.get(sql)!)[0]!
    connection.close()
    const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.from(value as Uint8Array)
    const part = bytes.subarray(0, 48)
    const file = readFileSync(this.file)
    const places: number[] = []
    for (let at = file.indexOf(part); at >= 0; at = file.indexOf(part, at + 1)) places.push(at + 24)
    if (places.length === 0) throw new Error('the value is not in the file')
    for (const place of places) this.write(place, Buffer.from([part[24]! ^ 1]))
  }

  noiseAt(offset: number, length: number): void {
    this.write(offset, this.#noise(length))
  }

  write(offset: number, bytes: Uint8Array): void {
    overwrite(this.file, offset, bytes)
  }

  replaceBy(file: string): void {
    copyFileSync(file, this.file)
  }

  replaceByText(): void {
    writeFileSync(this.file, 'Berth 7 holds tar.\n'.repeat(1000))
  }

  replaceByFolder(): void {
    rmSync(this.file)
    mkdirSync(this.file)
  }

  replaceByOtherProgram(version: number): void {
    rmSync(this.file)
    const other = new DatabaseSync(this.file)
    other.exec(
      `CREATE TABLE boats (name TEXT); INSERT INTO boats VALUES ('Gull'); PRAGMA user_version = ${version}`,
    )
    other.close()
  }

  removeLog({ withIndex }: { withIndex: boolean }): void {
    if (!existsSync(`${this.file}-wal`)) throw new Error('there is no log')
    rmSync(`${this.file}-wal`)
    if (withIndex) rmSync(`${this.file}-shm`)
  }

  /** Changes bytes of the log; `at` is a share of its length. */
  noiseInLog(at: number): void {
    const log = `${this.file}-wal`
    overwrite(log, Math.floor(statSync(log).size * at) - 100, this.#noise(64))
  }

  cutLog(share: number): void {
    const log = `${this.file}-wal`
    truncateSync(log, Math.floor(statSync(log).size * share))
  }

  #pagesOf(name: string, kind: string): number[] {
    const connection = new Connection(this.file, { readOnly: true })
    const pages = connection
      .all<{ pageno: number }>(
        'SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path',
        name,
        kind,
      )
      .map(({ pageno }) => pageno)
    connection.close()
    return pages
  }

  #some(pages: readonly number[]): number {
    if (pages.length === 0) throw new Error('there is no such page')
    return pages[this.#random(pages.length)]!
  }

  #noise(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#random(256)))
  }
}

function overwrite(file: string, offset: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'r+')
  try {
    const before = Buffer.alloc(bytes.length)
    readSync(descriptor, before, 0, bytes.length, offset)
    if (before.equals(bytes)) throw new Error('the bytes are the same as before')
    writeSync(descriptor, bytes, 0, bytes.length, offset)
  } finally {
    closeSync(descriptor)
  }
}
