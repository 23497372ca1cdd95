import { parentPort, workerData } from 'node:worker_threads'

/*
 * A thread that ends its process once it has used more processor time than it may: a change that never ends gives the thread of the
 * tests no turn, and how long a test takes by the clock is decided by whatever else the machine does.
 */
const usedMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let most = Infinity
parentPort!.on('message', (ms: number) => {
  most = usedMs() + ms
})
setInterval(() => {
  if (usedMs() > most) process.kill(process.pid, 'SIGKILL')
}, workerData as number)
