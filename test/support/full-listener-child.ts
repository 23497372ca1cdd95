import { createServer } from 'node:net'

/* A server on the port of its argument that takes one connection at a time. Once it is stopped, no further one is made. */
createServer()
  .listen({ port: Number(process.argv[2]), host: '127.0.0.1', backlog: 1 })
  .on('listening', () => process.send!('listening'))
