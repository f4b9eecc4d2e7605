import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine } from './first-line'
import { isAlive, startProduct } from './product'
import { waitFor } from './wait-for'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'renown-orphan-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a product stops with all of its processes when the process that started it is killed', async () => {
  const starter = join(folder, 'start.ts')
  await Bun.write(
    starter,
    `import { startProduct } from '${join(import.meta.dir, 'product.ts')}'
const { pid, parts } = await startProduct()
console.log(JSON.stringify([pid, ...Object.values(parts())]))
await new Promise(() => setInterval(() => {}, 1_000))
`,
  )
  const child = Bun.spawn([process.execPath, starter], { stdout: 'pipe', stderr: 'inherit' })
  const pids: number[] = JSON.parse(await firstLine(child.stdout))
  expect(pids.map(isAlive)).toEqual([true, true, true])
  child.kill('SIGKILL')
  await waitFor(() => !pids.some(isAlive), { what: 'the product to stop' })
}, 90_000)

test('the parts of a product stop when its own process is killed', async () => {
  const product = await startProduct()
  try {
    const parts = Object.values(product.parts())
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.every(isAlive)).toBe(true)
    process.kill(product.pid, 'SIGKILL')
    await waitFor(() => !parts.some(isAlive), { what: 'the parts to stop' })
  } finally {
    await product[Symbol.asyncDispose]()
  }
}, 90_000)
