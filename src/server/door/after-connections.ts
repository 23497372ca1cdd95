import type { Server } from 'node:http'

/** For how many turns of the event loop new connections may keep the next request waiting: a flood of them must not stop all requests. */
const MOST_TURNS = 32

/**
 * Makes a function that calls another in the next turn of the event loop in which no connection was accepted. libuv accepts one
 * connection in each turn, so with a request in every turn a new connection would wait for as many requests as connections came
 * before it.
 */
export function afterConnections(server: Pick<Server, 'on'>): (next: () => void) => void {
  let accepted = 0
  server.on('connection', () => void accepted++)
  return (next) => {
    let seen = accepted
    let turns = 0
    setImmediate(function look() {
      if (accepted === seen || ++turns > MOST_TURNS) return next()
      seen = accepted
      setImmediate(look)
    })
  }
}
