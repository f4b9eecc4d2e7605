// keep-mongodb.mjs PROGRAM PORT FILE: runs a MongoDB-protocol server for tests, `PROGRAM PORT FILE`, and starts it again on the same
// file if it ends or stops answering. One server that hung once failed every later test of a run. Prints `listening` when it
// first answers, and a line `started again: …` for each further start. Ends when it is told to, and the server with it.
import { spawn } from 'node:child_process'
import { connect } from 'node:net'

const [program, port, file] = process.argv.slice(2)
const patience = 10_000
const firstPatience = 120_000
let child
let startedAt = 0
let answeredAt = 0
let everAnswered = false

/** OP_MSG of `{ hello: 1, $db: 'admin' }`: 16 bytes of header, flags, kind 0, the document. */
const hello = Buffer.from(
  '340000000100000000000000dd0700000000000000' +
    '1f0000001068656c6c6f000100000002246462000600000061646d696e0000',
  'hex',
)

function start() {
  startedAt = Date.now()
  answeredAt = startedAt
  child = spawn(program, [port, file], { detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const mine = child
  child.on('error', (error) => end(1, `cannot start ${program}: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (mine !== child) return
    if (!everAnswered) return end(1, `${program} ended with ${signal ?? code} before it answered`)
    again(`it ended with ${signal ?? code}`)
  })
}

function again(why) {
  kill()
  process.stdout.write(`started again: ${why}\n`)
  start()
}

function kill() {
  const old = child
  child = undefined
  try {
    process.kill(-old.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function end(code, why) {
  if (why) process.stderr.write(`${why}\n`)
  kill()
  process.exit(code)
}

function look() {
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  const close = () => socket.destroy()
  socket.setTimeout(patience, close)
  socket.on('error', close)
  socket.on('connect', () => socket.write(hello))
  socket.on('data', () => {
    answeredAt = Date.now()
    if (!everAnswered) process.stdout.write('listening\n')
    everAnswered = true
    close()
  })
  if (everAnswered && Date.now() - answeredAt > patience) again(`no answer for ${patience / 1_000} seconds`)
  if (!everAnswered && Date.now() - startedAt > firstPatience) end(1, `${program} never answered`)
}

process.on('SIGTERM', () => end(0))
process.on('SIGINT', () => end(0))
start()
setInterval(look, 500)
