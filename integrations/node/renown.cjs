'use strict'

// Reports requests of AI agents to Renown. It sends them in the background: a visitor never waits for it and
// never sees an error of it. It needs Node 18 or later and no package.
//
//   const { createRenown } = require('./renown.cjs')   // or: import { createRenown } from './renown.cjs'
//   const renown = createRenown()                      // reads RENOWN_FORWARDER_TOKEN
//   app.use(renown.express)                            // Express, Connect, or a plain Node server
//   app.register(renown.fastify)                       // Fastify
//   app.use(renown.hono((c) => addressOf(c)))          // Hono

const { randomUUID } = require('node:crypto')

// Names of AI agents, and signs of agents that are not known yet. The ingest decides what it counts.
const agents =
  /(?:(?<!cu)bot|crawl|spider|agent|fetch|-user|gpt|claude|compatible;|\+http|aiwebindex|amazon-kendra|amazon-qbusiness|amazon-quick-on-behalf-of|amazonbuyforme|anchor browser|anchorbrowser|anomura|anthropic-ai|bigsur\.ai|cloudflare-autorag|codex-cli|codex_cli|cohere-ai|cotoyogi|devin|gemini-deep-research|geminicli|genspark\.ai|githubcopilotchat|google-firebase|google-gemini-cli|google-gemininotebook|google-notebooklm|google-pinpoint|googleother|grok-deepsearch|img2dataset|laion-huggingface-processor|laiondownloader|lightpanda\/1|linkreader|meta-webindexer|mistralai-index|mistralai-training|modelcontextprotocol|mozilla-tabstack|nooshub|novaact|novellum|omgili|opencode|perplexityuser|poggio-citations|proratainc|semantic-visions\.com|spawning-ai|terracotta|useai|webzio-extended|xai-grok|yandexadditional)/i

/** At most so many hits and bytes wait. Further hits are dropped. */
const hitsMax = 10_000
const bytesMax = 4_000_000
/** A batch has at most so many hits. A hit waits so long for others. */
const batchMax = 500
const delayMs = 1_000
/** How long one request may take, and the longest wait before the next try. */
const timeoutMs = 5_000
const waitMaxMs = 60_000

/** Hits that wait for the ingest. */
function createQueue({ token, ingest, warn }) {
  const lines = []
  let bytes = 0
  let batch = null
  let sending = null
  let timer = null
  let failures = 0
  let isFull = false

  function add(hit) {
    const line = `${JSON.stringify(hit)}\n`
    if (lines.length >= hitsMax || bytes + line.length > bytesMax) {
      if (!isFull) warn('The queue is full. Hits are dropped until the ingest accepts others.')
      isFull = true
      return
    }
    lines.push(line)
    bytes += line.length
    sendLater(delayMs)
  }

  function sendLater(ms) {
    if (timer || sending) return
    timer = setTimeout(send, ms)
    timer.unref()
  }

  async function send() {
    clearTimeout(timer)
    timer = null
    sending = sendBatch()
    const wait = await sending
    sending = null
    if (wait !== null) sendLater(wait)
  }

  /** Sends a batch, or the same one again. Returns how long to wait before the next, or null if there is none. */
  async function sendBatch() {
    // A batch keeps its id and its bytes at each try, so the ingest counts it once.
    batch ??= { id: randomUUID(), lines: lines.splice(0, batchMax) }
    const { status, retryAfter, cause } = await post(batch)
    const isRefused = status >= 400 && status < 500 && ![401, 403, 404, 408, 429].includes(status)
    if ((status >= 200 && status < 300) || isRefused) {
      if (isRefused) warn(`The ingest refused hits with the status ${status}. They are dropped.`)
      bytes -= batch.lines.join('').length
      batch = null
      isFull = false
      failures = 0
      return lines.length > 0 ? 0 : null
    }
    if (failures++ === 0)
      warn(`Hits wait, because the ingest answers with ${cause ?? `the status ${status}`}.`)
    const backOff = Math.min(waitMaxMs, 1_000 * 2 ** Math.min(failures - 1, 6)) * (0.75 + Math.random() / 2)
    return Math.max(backOff, Math.min(retryAfter * 1_000 || 0, 3_600_000))
  }

  async function post({ id, lines }) {
    const authorization = `Bearer ${token}`
    try {
      const answer = await fetch(`${ingest}/v1/hits`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-ndjson', 'idempotency-key': id },
        body: lines.join(''),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      answer.body?.cancel().catch(() => {})
      return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) }
    } catch (error) {
      return { status: 0, retryAfter: 0, cause: error?.cause?.code ?? error?.name }
    }
  }

  /** Sends what waits. It ends after `limitMs`, or when the ingest does not accept a batch. */
  async function close(limitMs = 2_000) {
    const end = Date.now() + limitMs
    while ((batch || lines.length > 0) && Date.now() < end) {
      const before = failures
      let limit
      const late = new Promise((resolve) => {
        limit = setTimeout(resolve, end - Date.now())
      })
      await Promise.race([sending ?? send(), late])
      clearTimeout(limit)
      if (failures > before) break
    }
  }

  return { add, close }
}

const opened = new Set()

function createRenown({
  token = process.env.RENOWN_FORWARDER_TOKEN,
  ingest = process.env.RENOWN_INGEST_URL || 'https://ingest.example.com',
  warn = (text) => process.emitWarning(text, 'Renown'),
} = {}) {
  if (!token) warn('RENOWN_FORWARDER_TOKEN is not set, so no hits are counted.')
  const queue = createQueue({ token, ingest, warn })
  opened.add(queue)

  /** Runs a part that must never disturb the app. */
  function safely(work) {
    try {
      return work()
    } catch (error) {
      warn(`A hit was not counted: ${error}`)
      return null
    }
  }

  /** Returns the hit of a request that may be one of an AI agent, or null. */
  const begin = (method, ua, read) =>
    safely(() => {
      if (!token || (method !== 'GET' && method !== 'HEAD') || !ua || !agents.test(ua)) return null
      const { ip, host, url, referer } = read()
      return {
        id: randomUUID(),
        ts: new Date().toISOString(),
        ip,
        method,
        host,
        url: url.slice(0, 4_096),
        ua: ua.slice(0, 1_024),
        referer: referer?.slice(0, 1_024),
      }
    })
  const finish = (hit, status) => hit && safely(() => queue.add({ ...hit, status }))

  function express(req, res, next) {
    const hit = begin(req.method, req.headers['user-agent'], () => ({
      // Express calculates both as its setting `trust proxy` says.
      ip: req.ip ?? req.socket.remoteAddress,
      host: req.hostname ?? req.headers.host,
      url: req.originalUrl ?? req.url,
      referer: req.headers.referer,
    }))
    if (hit) res.once('close', () => finish(hit, res.statusCode))
    next?.()
  }

  async function fastify(app) {
    app.addHook('onResponse', async (request, reply) => {
      const hit = begin(request.method, request.headers['user-agent'], () => ({
        // Fastify calculates both as its option `trustProxy` says.
        ip: request.ip,
        host: request.host ?? request.hostname,
        url: request.originalUrl,
        referer: request.headers.referer,
      }))
      finish(hit, reply.statusCode)
    })
    app.addHook('onClose', () => queue.close())
  }
  // Fastify's sign for a plugin that also applies to routes outside itself.
  fastify[Symbol.for('skip-override')] = true

  const hono =
    (addressOf = (c) => c.env?.incoming?.socket?.remoteAddress) =>
    async (c, next) => {
      const hit = begin(c.req.method, c.req.header('user-agent'), () => ({
        ip: addressOf(c),
        host: new URL(c.req.url).host,
        url: c.req.url.replace(/^[a-z]+:\/\/[^/]*/i, ''),
        referer: c.req.header('referer'),
      }))
      await next()
      finish(hit, c.res.status)
    }

  return { express, fastify, hono, close: queue.close }
}

const closeAll = () => Promise.all([...opened].map((queue) => queue.close()))

process.once('beforeExit', closeAll)
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, async () => {
    // An app with a handler of its own decides when the process ends. Otherwise it ends as without this file.
    const isOurs = process.listenerCount(signal) === 0
    await closeAll()
    if (isOurs) process.kill(process.pid, signal)
  })
}

exports.createRenown = createRenown
