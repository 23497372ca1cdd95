import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../free-port.ts'
import { answers, type EngineNode } from './java-nodes.ts'
import { ownProcess } from './own-process.ts'

/** A server of Chroma. @param programs the folder of tools/provide-chroma.sh */
export async function startChroma(programs: string): Promise<EngineNode> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-engine-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const process = await ownProcess(
    [path.join(programs, 'chroma'), 'run', '--path', path.join(folder, 'data'), '--port', String(port)],
    { folder, isReady: () => answers(`${url}/api/v2/heartbeat`) },
  )
  return { ...process, url }
}
