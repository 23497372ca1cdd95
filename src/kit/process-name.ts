import { createServer } from 'node:net'

/**
 * Reserves a name on this machine for this process, until `release()` or the end of the process. Undefined if another
 * process has it. On Linux it is the name of a socket without a file; elsewhere, and where sockets are
 * forbidden, every process gets the name.
 */
export async function takeProcessName(name: string): Promise<{ release(): void } | undefined> {
  if (process.platform !== 'linux') return { release() {} }
  const server = createServer((socket) => socket.destroy()).unref()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(`\0${name}`, resolve)
  try {
    await promise
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    return { release() {} }
  }
  return { release: () => void server.close() }
}
