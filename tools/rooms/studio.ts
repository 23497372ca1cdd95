import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { cycles } from './cycles.ts'
import { isTest } from './house.ts'
import { importsOf } from './imports.ts'
import type { Room } from './plan.ts'
import type { Arrow } from './survey.ts'

/** The folders of studio/ from the ground up: each imports only folders that stand before it. */
export const STUDIO_ROOMS = [
  'style',
  'server',
  'parts',
  'charts',
  'drawing',
  'forms',
  'actions',
  'chat-page',
  'screens',
  'routes.tsx',
  'main.tsx',
] as const

/** Folders without React: `node:test` runs their tests without a browser. */
const WITHOUT_REACT = ['server', 'drawing']

const API = 'src/api/'

/** Breaches of the rules of studio/, a line each: file, line, reason. */
export function studioFindings(root: string): string[] {
  const files = globSync('studio/**/*.{ts,tsx}', { cwd: root, exclude: ['studio/node_modules'] })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.startsWith('studio/node_modules/') && file !== 'studio/vite.config.ts')
    .sort()
  const found: string[] = []
  const arrows: Arrow[] = []
  for (const file of files) {
    for (const { specifier, line, kind } of importsOf(readFileSync(path.join(root, file), 'utf8'))) {
      const to = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier
      const reason = objectionInStudio(file, to, kind)
      if (reason) found.push(`${file}:${line} → ${to}: ${reason}`)
      if (to.startsWith('studio/')) arrows.push({ from: file, to, line, kind })
    }
  }
  const circles = cycles(arrows).map(
    (circle) =>
      `${circle[0]!.from}:${circle[0]!.line} ${[...circle.map((arrow) => arrow.from), circle[0]!.from].join(' → ')}: these files import each other in a circle`,
  )
  return [...found, ...circles]
}

/** studio/ as one room of the picture, if it is there: its only imports of src/ are types of api. */
export function studioAsRoom(root: string): Room[] {
  const files = globSync('studio/**/*.{ts,tsx}', { cwd: root, exclude: ['studio/node_modules'] })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.startsWith('studio/node_modules/') && !isTest(file))
  if (files.length === 0) return []
  const sources = files.map((file) => readFileSync(path.join(root, file), 'utf8'))
  const imports = sources.flatMap(importsOf).filter(({ specifier }) => specifier.includes('/src/api/'))
  const lines = sources.reduce((sum, source) => sum + source.split('\n').length - 1, 0)
  return [{ name: 'studio', files: files.length, lines, imports: new Map([['api', imports.length]]) }]
}

/** Why a file of studio/ may not import another file or a package; undefined where it may. */
export function objectionInStudio(from: string, to: string, kind: Arrow['kind']): string | undefined {
  const room = studioRoom(from)
  if (rankOf(room) < 0) return `studio/${room} is not in the list of folders of studio/`
  if (/^react($|-|\/)/.test(to) && WITHOUT_REACT.includes(room)) return `studio/${room} works without React`
  if (to.startsWith('src/')) {
    if (!to.startsWith(API)) return 'of src/, studio imports only src/api'
    return kind === 'type' || from.endsWith('.test.ts') ? undefined : 'of src/api, studio imports only types'
  }
  if (!to.startsWith('studio/')) {
    if (to.startsWith('test/support/') && from.endsWith('.test.ts')) return undefined
    if (to.startsWith('test/') || to.startsWith('tools/') || to.startsWith('bench/'))
      return 'studio imports nothing outside studio/ and src/api'
    return undefined
  }
  const other = studioRoom(to)
  if (rankOf(other) < 0) return `studio/${other} is not in the list of folders of studio/`
  if (room === 'screens' && other === 'screens' && screenOf(from) !== screenOf(to))
    return 'a screen never imports another screen'
  if (rankOf(other) > rankOf(room)) return `${other} stands after ${room} in the order of folders`
  return undefined
}

const studioRoom = (file: string): string => file.split('/')[1] ?? ''
const screenOf = (file: string): string | undefined => file.split('/')[2]
const rankOf = (room: string): number => (STUDIO_ROOMS as readonly string[]).indexOf(room)
