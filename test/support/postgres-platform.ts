import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { readConfig } from '../../src/kit/config.ts'
import { quietLog } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import { ADMIN_KEY, type Answer, answerOf } from './platform.ts'

/** A server over a database with a given address, for the time of a test. */
export async function makePlatformOver(
  t: TestContext,
  address: string,
  settings: Record<string, string> = {},
) {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-over-'))
  const flags = {
    ...{ PORT: '0', DATA_DIR: directory, ADMIN_KEY, DATABASE_URL: address },
    ...{ SECRET_KEY: 'the-secret-of-the-test-nodes', ...settings },
  }
  const platform = await startPlatform(readConfig({ flags, environment: {}, directory }), quietLog)
  t.after(async () => {
    await platform.close()
    rmSync(directory, { recursive: true, force: true })
  })
  async function call<Body>(
    method: string,
    place: string,
    { key, body }: { key?: string; body?: object } = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(platform.url + place, {
      method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return answerOf(response.status, response.headers, await response.text())
  }
  return {
    platform,
    call,
    manage: <Body>(method: string, place: string, body?: object) =>
      call<Body>(method, place, { key: ADMIN_KEY, ...(body ? { body } : {}) }),
  }
}
