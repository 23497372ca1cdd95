import Fastify from 'fastify'

/** A bare Fastify server with a route of a fixed answer, in a process of its own. It prints its address. */
const app = Fastify({ logger: false })
const docs = Array.from({ length: 4 }, (_, at) => ({
  id: String(at),
  pageContent: 'A chunk of text. '.repeat(40),
}))
app.post('/query', async () => ({ docs }))
app.get('/healthz', async () => ({ status: 'ok' }))
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
process.once('SIGTERM', () => process.exit(0))
