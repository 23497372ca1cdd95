import { postgresServer } from './postgres.ts'

/* A process with a server of its own, for the test that kills it. */
const { port, folder } = await postgresServer()
process.send!({ port, folder })
setInterval(() => {}, 1000)
