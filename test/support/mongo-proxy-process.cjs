// A proxy before a MongoDB server, on Node, in a process of its own: it can be killed and stopped like a server.
// Arguments: `single` or `set`, host and port of the server, ports to listen on, how late a slow server answers.
// Lines on its standard input change what the server seems to do. In a `set`, its two ports are two members of `rs0`.
const net = require('node:net')
const { createInterface } = require('node:readline')
const { deserialize, ObjectId, serialize } = require('bson')

const [kind, host, port, wanted, slowMs] = process.argv.slice(2)
const isSet = kind === 'set'
// A set keeps its term through a restart, and clients refuse a primary of an earlier one. Seconds only grow.
const state = { fault: 'none', primary: 0, term: Math.floor(Date.now() / 1000), steppedDownAt: 0 }
/** What waits until the server works on, as in the buffers of a stopped process. */
let waiting = []
const ports = []

/** Returns a function that passes on what one side says, in order, whenever the fault ends. */
function passTo(to, isAnswer) {
  let before = Promise.resolve()
  return (chunk) => {
    const gate = deferred()
    if (state.fault === 'silent') waiting.push(gate.resolve)
    else if (state.fault === 'slow' && isAnswer) setTimeout(gate.resolve, Number(slowMs))
    else gate.resolve()
    before = before.then(() => gate.promise).then(() => void (to.destroyed || to.write(chunk)))
  }
}
function deferred() {
  const made = {}
  made.promise = new Promise((resolve) => {
    made.resolve = resolve
  })
  return made
}

/** Calls `each` with every whole message of a stream. */
function messages(each) {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const size = rest.readInt32LE(0)
      each(rest.subarray(0, size))
      rest = rest.subarray(size)
    }
  }
}

const messageCode = 2013
const queryCode = 2004
/** Where the document of a message begins: after the header, and what its kind has before. */
function documentAt(message) {
  const code = message.readInt32LE(12)
  if (code === messageCode) return 21
  if (code === queryCode) return message.indexOf(0, 20) + 9
  return 36
}
function documentOf(message) {
  const at = documentAt(message)
  return deserialize(message.subarray(at, at + message.readInt32LE(at)), { promoteValues: true })
}
function withDocument(message, document) {
  const made = Buffer.concat([message.subarray(0, documentAt(message)), serialize(document)])
  made.writeInt32LE(made.length, 0)
  return made
}
function answerTo(request, document) {
  const head = Buffer.alloc(21)
  head.writeInt32LE(request.readInt32LE(4), 8)
  head.writeInt32LE(messageCode, 12)
  return withDocument(head, document)
}

const free = new Set(
  'hello isMaster ismaster ping buildInfo buildinfo endSessions killCursors getMore connectionStatus saslStart saslContinue'.split(
    ' ',
  ),
)
const reads = new Set(
  'find aggregate count distinct listCollections listIndexes dbStats collStats'.split(' '),
)
const hellos = new Set(['hello', 'isMaster', 'ismaster'])
/** For so long a member that stepped down interrupts writes. After that it refuses them as a secondary does. */
const steppingMs = 1_000

/** Returns the error that a member answers with, or null where it does what it is asked. */
function refusal(member, name, body) {
  const isPrimary = state.primary === member
  if (isPrimary || free.has(name)) return null
  const mode = body.$readPreference?.mode
  const fault = (code, codeName, errmsg) => ({
    ok: 0,
    errmsg,
    code,
    codeName,
    errorLabels: body.txnNumber === undefined ? [] : ['RetryableWriteError'],
  })
  if (reads.has(name)) {
    if (mode !== undefined && mode !== 'primary') return null
    return fault(13435, 'NotPrimaryNoSecondaryOk', 'not primary and secondaryOk=false')
  }
  if (Date.now() - state.steppedDownAt < steppingMs)
    return fault(189, 'PrimarySteppedDown', 'primary stepped down while waiting for replication')
  return fault(10107, 'NotWritablePrimary', 'not primary')
}

/** What a member of the set says of itself. */
function helloOf(member, answer) {
  const { topologyVersion, msg, ...rest } = answer
  const hosts = ports.map((one) => `127.0.0.1:${one}`)
  const isPrimary = state.primary === member
  return {
    ...rest,
    setName: 'rs0',
    setVersion: 1,
    hosts,
    me: hosts[member],
    ismaster: isPrimary,
    isWritablePrimary: isPrimary,
    secondary: !isPrimary,
    ...(state.primary === null ? null : { primary: hosts[state.primary] }),
    ...(isPrimary ? { electionId: new ObjectId(state.term.toString(16).padStart(24, '0')) } : null),
    logicalSessionTimeoutMinutes: 30,
    lastWrite: { lastWriteDate: new Date() },
  }
}

/** Answers of the last retryable writes. A set gives the same answer to a write that is sent again. */
const answered = new Map()
const keptAnswers = 5_000
function writeKey({ lsid, txnNumber }) {
  return txnNumber === undefined ? null : `${Buffer.from(lsid.id.buffer).toString('hex')}:${txnNumber}`
}

/** Looks into what a client and a member say to each other. */
function asMember(member, toServer, toClient) {
  const asked = new Map()
  const onRequest = messages((message) => {
    const code = message.readInt32LE(12)
    if (code !== messageCode && code !== queryCode) return toServer(message)
    const body = documentOf(message)
    const [name] = Object.keys(body)
    const refused = refusal(member, name, body)
    if (refused) return toClient(answerTo(message, refused))
    const key = writeKey(body)
    const before = key && answered.get(key)
    if (before) return toClient(answerTo(message, before))
    if (hellos.has(name) || key)
      asked.set(message.readInt32LE(4), { isHello: hellos.has(name), key, body, name, message })
    toServer(message)
  })
  const onAnswer = messages((message) => {
    const to = message.readInt32LE(8)
    const question = asked.get(to)
    asked.delete(to)
    if (!question) return toClient(message)
    if (question.isHello) return toClient(withDocument(message, helloOf(member, documentOf(message))))
    answered.set(question.key, documentOf(message))
    if (answered.size > keptAnswers) answered.delete(answered.keys().next().value)
    // The write was done, and its member stepped down before it could answer.
    const refused = refusal(member, question.name, question.body)
    toClient(refused ? answerTo(question.message, refused) : message)
  })
  return [onRequest, onAnswer]
}

function serve(member) {
  const server = net.createServer((inside) => {
    const outside = net.connect(Number(port), host)
    const toServer = passTo(outside, false)
    const toClient = passTo(inside, true)
    const [onRequest, onAnswer] = isSet ? asMember(member, toServer, toClient) : [toServer, toClient]
    inside.on('data', onRequest)
    outside.on('data', onAnswer)
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ]) {
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  return new Promise((resolve) => {
    server.listen(Number(wanted.split(',')[member] ?? 0), '127.0.0.1', () => resolve(server.address().port))
  })
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [fault, ms] = line.split(' ')
  if (fault === 'step-down') {
    const next = 1 - state.primary
    state.primary = null
    state.steppedDownAt = Date.now()
    setTimeout(() => {
      state.primary = next
      state.term++
    }, Number(ms))
    return
  }
  state.fault = fault
  if (fault === 'silent') return
  for (const goOn of waiting) goOn()
  waiting = []
})
// It ends with the test that started it.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(0), 500)
async function run() {
  for (let member = 0; member < (isSet ? 2 : 1); member++) ports.push(await serve(member))
  process.stdout.write(`${ports.join(',')}\n`)
}
run()
