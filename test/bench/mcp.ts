import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine } from '../support/first-line'
import { mcpRequest, revisions } from '../support/mcp'
import { type RunningProduct, startProduct } from '../support/product'
import { type Measured, measure, type Target } from './reads/load'

const env = {
  LIMIT_READS_PER_MINUTE: '100000000',
  LIMIT_OPERATIONS_PER_MINUTE: '100000000',
  REQUEST_CPU_MS_PER_SECOND: '0',
  LOG_LEVEL: 'error',
  RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
}
const requests = Number(process.env.RENOWN_BENCH_REQUESTS ?? 3_000)
const rounds = 11
/** The compiler of the runtime is busy with a program for its first 20,000 requests, with a small one much shorter. */
const warmUp = Number(process.env.RENOWN_BENCH_WARM_UP ?? 20_000)

/**
 * What MCP costs in CPU of the process that serves it, per revision: the list of tools and a trivial call, against a bare
 * Elysia that reads the same JSON and answers the same bytes, and against the same call over HTTP, which passes the same gate.
 */
export async function run(): Promise<void> {
  console.log(
    `${cpus().length} shared cores, Bun ${Bun.version}, ${requests} requests a round after ${warmUp} each\n`,
  )
  await using product = await startProduct({ env })
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  try {
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', { name: 'whoami', arguments: {} }],
    ] as const) {
      for (const revision of revisions) {
        const ours = mcp(product, revision, method, params)
        const file = join(folder, 'answer.json')
        await Bun.write(file, await fetch(ours.url, { method: 'POST', ...ours }))
        using bare = await startBare(file)
        const floor =
          method === 'tools/call' ? rest(product, '/api/functions/whoami', '{}') : surface(product)
        const measured = await measure(
          [{ ...ours, ...bare, name: 'bare Elysia' }, floor, ours],
          requests,
          rounds,
          warmUp,
        )
        report(`${method}, ${revision}`, measured as [Measured, Measured, Measured])
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function mcp(
  { facts, parts }: RunningProduct,
  revision: (typeof revisions)[number],
  method: string,
  params: Record<string, unknown>,
): Target & { readonly headers: Record<string, string>; readonly body: string } {
  const request = mcpRequest(revision, method, params)
  return {
    name: 'MCP',
    pid: parts().gateway,
    url: `${facts.api_url}/api/mcp`,
    headers: { ...headersOf(facts.agent_key), ...request.headers },
    body: JSON.stringify(request.body),
  }
}

const rest = ({ facts, parts }: RunningProduct, path: string, body: string): Target => ({
  name: `POST ${path}`,
  pid: parts().gateway,
  url: `${facts.api_url}${path}`,
  headers: headersOf(facts.agent_key),
  body,
})

const surface = ({ facts, parts }: RunningProduct): Target => ({
  name: 'GET /api/surface',
  pid: parts().gateway,
  url: `${facts.api_url}/api/surface`,
  headers: headersOf(facts.agent_key),
})

const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

async function startBare(file: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'reads/bare.ts'), 'elysia', file], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const port = /listening (\d+)/.exec(await firstLine(child.stdout))?.[1]
  return { pid: child.pid, url: `http://127.0.0.1:${port}/`, [Symbol.dispose]: () => child.kill() }
}

function report(title: string, [bare, floor, ours]: [Measured, Measured, Measured]): void {
  console.log(`${title} (${ours.bytes.toLocaleString('en')} bytes; goal: 40 % of bare)`)
  for (const { name, cpuUs } of [bare, floor, ours])
    console.log(`  ${name.padEnd(28)} ${cpuUs.toFixed(0).padStart(6)} µs CPU a request`)
  console.log(`  MCP reaches ${((100 * bare.cpuUs) / ours.cpuUs).toFixed(0)} % of bare\n`)
}
