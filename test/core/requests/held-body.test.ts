import { expect, test } from 'bun:test'
import { bodyBytesMax, readJson, readObject } from '../../../core/requests/body'
import { textBodies } from '../../ingest/support/hostile-bodies'
import { threadMs } from '../../support/longest-stretch'

/** The promise is 50 ms for one body. */
const heldMax = 50

test('no body of an operation or of MCP holds the loop while it is decoded', async () => {
  const held: string[] = []
  for (const body of textBodies) {
    const made = body.make(bodyBytesMax).slice(0, bodyBytesMax)
    for (const read of [readObject, readJson]) {
      const headers = { ...body.headers, 'content-length': String(made.length) }
      const request = new Request('http://localhost/api/mcp', { method: 'POST', body: made, headers })
      const began = threadMs()
      await read(request).catch(() => {})
      const ms = threadMs() - began
      if (ms > heldMax) held.push(`${body.name}: ${ms.toFixed(0)} ms`)
    }
  }
  expect(held).toEqual([])
})
