import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError, connect } from '../../../core/cli/link'
import { startNotice } from '../../../core/cli/print/notice'
import { report } from '../../../core/cli/print/report'
import { exitCodes } from '../../../core/cli/print/terminal'
import { createAdmin, listenAdmin } from '../../../core/product/admin'
import { type AnswerPart, partsType } from '../../../core/product/answer-parts'
import { UnavailableError } from '../../../core/stores/documents/port'
import { part } from '../../support/part'
import { quietLog } from '../../support/quiet-log'
import { waitFor } from '../../support/wait-for'

const folder = mkdtempSync(join(tmpdir(), 'renown-link-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function beside<T>(fetch: (request: Request) => Response | Promise<Response>, work: () => Promise<T>) {
  const socket = listenAdmin(join(folder, 'renown.sock'), async (request) => fetch(request))
  try {
    return await work()
  } finally {
    await socket.stop()
  }
}

const linked = async (heard: AnswerPart[] = []) => {
  const link = await connect(folder, (one) => heard.push(one))
  if (!link) throw new Error('nobody listens')
  return link
}

describe('a command beside the product', () => {
  test('is connected by any answer, also one of an older product', () =>
    beside(
      (request) =>
        request.url.endsWith('/alive') ? new Response('{}', { status: 404 }) : Response.json({ a: 1 }),
      async () => expect(await (await linked()).get<object>('/status')).toEqual({ a: 1 }),
    ))

  test('hears the parts of a slow answer, and takes the last one as the answer', () =>
    beside(
      () =>
        new Response('{"working":{"doing":"reading"}}\n{"out":"one"}\n{"status":200,"body":{"b":2}}\n', {
          headers: { 'content-type': partsType },
        }),
      async () => {
        const heard: AnswerPart[] = []
        expect(await (await linked(heard)).get<object>('/status')).toEqual({ b: 2 })
        expect(heard).toEqual([{ working: { doing: 'reading' } }, { out: 'one' }])
      },
    ))

  test('says so if the product stops before the end of its answer', () =>
    beside(
      () => new Response('{"working":{"doing":null}}\n', { headers: { 'content-type': partsType } }),
      async () => {
        const link = await linked()
        expect(await link.get('/status').catch(String)).toContain('stopped before it had answered')
      },
    ))

  test('whose store is away ends with a sentence and the code of what cannot be reached', () => {
    const admin = createAdmin(
      part({
        log: quietLog,
        checks: () => Promise.reject(new UnavailableError('MongoDB cannot be reached: no server is known')),
      }),
    )
    return beside(admin, async () => {
      const link = await linked()
      const error: unknown = await link.get('/checks').catch((thrown) => thrown)
      expect(error).toBeInstanceOf(CommandError)
      const said: string[] = []
      const terminal = part<Parameters<typeof report>[1]>({ err: (text: string) => void said.push(text) })
      expect(report(error, terminal, false)).toBe(exitCodes.unreachable)
      expect(said.join('')).toContain('MongoDB cannot be reached')
    })
  })
})

describe('a notice', () => {
  const shown = (errIsTerminal: boolean) => {
    const said: string[] = []
    const time = { ms: 0 }
    const notice = startNotice(
      {
        out: (text) => void said.push(`out ${text}`),
        err: (text) => void said.push(text),
        outIsTerminal: false,
        errIsTerminal,
        columns: 80,
        noticeAfterMs: 500,
      },
      () => time.ms,
    )
    return { said, time, notice }
  }

  test('comes once a command is silent for half a second, with what it does, and ever more seldom', async () => {
    const { said, time, notice } = shown(false)
    notice.terminal.doing?.('12 lines')
    for (const ms of [600, 1_700, 3_800, 5_000]) {
      time.ms = ms
      const before = said.length
      await waitFor(() => said.length > before || ms === 5_000, { what: `the notice at ${ms} ms` })
    }
    notice.end()
    expect(said).toEqual([
      'Working for 1 s: 12 lines\n',
      'Working for 2 s: 12 lines\n',
      'Working for 4 s: 12 lines\n',
    ])
  })

  test('goes away on a terminal before anything else is printed', async () => {
    const { said, time, notice } = shown(true)
    time.ms = 700
    await waitFor(() => said.length > 0, { what: 'the notice' })
    notice.terminal.out('done')
    notice.end()
    expect(said).toEqual(['\r\u001b[2KWorking for 1 s', '\r\u001b[2K', 'out done'])
  })
})
