import assert from 'node:assert/strict'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '../..')

type Package = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>
const packageOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Package

test('npm ci installs less than 200 MB, besides the studio and a Node where the machine has none', () => {
  const seen = new Set<number>()
  let bytes = 0
  for (const entry of readdirSync(path.join(root, 'node_modules'), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile()) continue
    const { ino, blocks } = lstatSync(path.join(entry.parentPath, entry.name))
    // A file with two names is counted once.
    if (!seen.has(ino)) bytes += blocks * 512
    seen.add(ino)
  }
  assert.ok(bytes < 200e6, `${Math.round(bytes / 1e6)} MB`)
})

test('npm ci installs no product that only the benchmarks compare with', () => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>
  }
  const peers = ['@lancedb/lancedb', 'sqlite-vec', 'mammoth', 'xlsx', 'unpdf', 'express']
  const bench = packageOf('bench').dependencies ?? {}
  for (const peer of peers) {
    assert.ok(peer in bench, `${peer} is missing in bench/package.json`)
    assert.ok(!(`node_modules/${peer}` in lock.packages), `${peer} is in package-lock.json`)
  }
})
