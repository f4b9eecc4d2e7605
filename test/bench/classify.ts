import { BlockList } from 'node:net'
import { agents } from '../../ingest/data/agents'
import { type Agent, classify } from '../../ingest/judge/classify'
import { createVerifier } from '../../ingest/judge/verify'
import { type Prefix, parsePrefix } from '../../ingest/parse/address'
import { readBody } from '../../ingest/parse/formats'

const rounds = 15
const now = 1_795_192_972_000

/** Lines read, classified and judged a second of processor time, each beside the least work that could be done with the same input. */
export function run(): void {
  const uas = userAgents(20_000)
  const lowered = agents.map((agent) => agent.name.toLowerCase())
  compare('user agents classified', uas.length, {
    'one loop of includes over the names': () =>
      count(uas, (ua) => {
        const text = ua.toLowerCase()
        return lowered.some((name) => text.includes(name))
      }),
    classify: () => count(uas, (ua) => classify(ua) !== null),
  })

  const prefixes = networks()
  const verifier = createVerifier(
    [{ operator: 'OpenAI', prefixes: prefixes.map(known), freshUntil: now }],
    () => true,
  )
  const blocks = new BlockList()
  for (const text of prefixes)
    blocks.addSubnet(text.split('/')[0] ?? '', Number(text.split('/')[1]), family(text))
  const gptbot = classify('GPTBot') as Agent
  for (const [name, wanted] of [
    ['IPv4', 'ipv4'],
    ['IPv6', 'ipv6'],
  ] as const) {
    const addresses = probes(prefixes.filter((text) => family(text) === wanted))
    compare(`${name} addresses judged against ${prefixes.length} networks`, addresses.length, {
      'node:net BlockList': () => count(addresses.slice(0, 500), (ip) => blocks.check(ip, wanted)) && 500,
      verdict: () => count(addresses, (ip) => verifier.verdict(gptbot, ip, now, now) === 'verified'),
    })
  }

  const pages = uas.map((ua, at) => ({
    ip: `20.171.${at % 256}.${at % 251}`,
    path: `/page/${at % 5_000}`,
    ua,
  }))
  const json = `${pages.map((page) => JSON.stringify({ ts: now, method: 'GET', status: 200, ...page })).join('\n')}\n`
  const judged = (text: string) => {
    let hits = 0
    const body = readBody(text, now, 2 ** 16)
    for (let hit = body.next(); hit; hit = body.next()) {
      const agent = 'target' in hit ? classify(hit.ua) : null
      if (agent && 'target' in hit) hits += verifier.verdict(agent, hit.ip, hit.ts, now).length
    }
    return hits
  }
  compare('JSON lines parsed, classified and judged', pages.length, {
    'JSON.parse of each line': () =>
      count(json.split('\n'), (line) => line !== '' && JSON.parse(line).status === 200),
    'the counter': () => judged(json),
  })
  const combined = `${pages.map(({ ip, path, ua }) => `${ip} - - [20/Nov/2026:16:42:52 +0000] "GET ${path} HTTP/1.1" 200 1234 "-" "${ua}"`).join('\n')}\n`
  compare('access log lines parsed, classified and judged', pages.length, {
    'splitting into lines': () => count(combined.split('\n'), (line) => line.charCodeAt(0) === 50),
    'the counter': () => judged(combined),
  })
}

/** Best of several rounds that take turns, by processor time. A task that answers a number above 1 and below `items` did only so many. */
function compare(title: string, items: number, tasks: Record<string, () => number>): void {
  const best = new Map<string, number>()
  for (let round = 0; round < rounds; round++)
    for (const [name, task] of Object.entries(tasks)) {
      const before = process.cpuUsage()
      const done = task()
      const { user, system } = process.cpuUsage(before)
      const each = (user + system) / 1000 / (done === 500 ? 500 : items)
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, each))
    }
  const [[, floor] = ['', 0]] = best
  console.log(`\n${title}`)
  for (const [name, each] of best) {
    const rate = `${(1 / each / 1000).toFixed(2)} M/s`
    console.log(
      `  ${name.padEnd(40)}${rate.padStart(12)}${`${((100 * floor) / each).toFixed(0)} %`.padStart(10)}`,
    )
  }
}

function count<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  let found = 0
  for (const item of items) if (test(item)) found++
  return found
}

/** Every second one a crawler's, no two alike. */
function userAgents(total: number): string[] {
  return Array.from({ length: total }, (_, at) =>
    at % 2 === 0
      ? `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${at}.0.0.0 Safari/537.36`
      : `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/${at}; +https://openai.com/gptbot)`,
  )
}

/** As many networks as the operators publish together. */
function networks(): string[] {
  const v4 = Array.from(
    { length: 2_000 },
    (_, at) => `${20 + (at % 30)}.${at % 256}.${(at * 7) % 256}.${(at % 16) * 16}/28`,
  )
  return [
    ...v4,
    ...Array.from({ length: 1_000 }, (_, at) => `2600:${at.toString(16)}:${(at * 31).toString(16)}::/64`),
  ]
}

/** Every second one inside. */
function probes(inside: readonly string[]): string[] {
  return Array.from({ length: 20_000 }, (_, at) => {
    const base = inside[at % inside.length]?.split('/')[0] ?? ''
    if (at % 2 === 1) return base.includes(':') ? `2a00:${at.toString(16)}::1` : `8.${at % 256}.${at % 251}.9`
    return base.includes(':') ? `${base}${(at + 1).toString(16)}` : base
  })
}

function family(text: string): 'ipv4' | 'ipv6' {
  return text.includes(':') ? 'ipv6' : 'ipv4'
}

function known(text: string): Prefix {
  const prefix = parsePrefix(text)
  if (!prefix) throw new Error(`${text} is not a network`)
  return prefix
}
