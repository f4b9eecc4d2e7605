import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../../core/cli/link'
import { socketPath } from '../../../core/process/data-folder'

test('a product whose stores answer late is reached, and one that is gone is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'renown-link-'))
  const late = Promise.withResolvers<Response>()
  const server = Bun.serve({
    unix: socketPath(folder),
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/status') return late.promise
      return pathname === '/known' ? Response.json({ n: 1 }) : Response.json({}, { status: 404 })
    },
  })
  try {
    const link = await connect(folder)
    expect(link?.running).toBe(true)
    expect(await link?.get<{ n: number }>('/known')).toEqual({ n: 1 })
    late.resolve(new Response())
    await server.stop(true)
    expect(await connect(folder)).toBeNull()
  } finally {
    await server.stop(true)
    rmSync(folder, { recursive: true, force: true })
  }
})
