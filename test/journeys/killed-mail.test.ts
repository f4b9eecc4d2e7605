import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freeLeases } from '../../core/jobs/lease'
import { ReportMail } from '../../plugins/reports/records/ReportMail'
import { openMail } from '../support/mail-process'
import { type SmtpMoment, smtpServer } from '../support/smtp-server'

const kills = Number(process.env.RENOWN_KILLS ?? (process.env.RENOWN_LONG === '1' ? 100 : 2))
/** When a process is killed: the server has read this and not answered, or has accepted the message. */
const moments: readonly SmtpMoment[] = ['354', 'MAIL', 'accepted', 'RCPT', 'content', 'DATA']
const program = resolve(import.meta.dir, '../support/mail-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'renown-mail-'))
const path = join(folder, 'documents.sqlite')
let strike: ((moment: SmtpMoment) => void) | null = null
const server = smtpServer('127.0.0.1', (moment) => strike?.(moment))
afterAll(() => {
  server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test(`mail is neither lost nor sent twice, though its process is killed ${kills} times`, async () => {
  for (let n = 0; n < kills; n++) {
    const running = Bun.spawn([process.execPath, program, path, server.url()], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
    })
    let left = Math.floor(Math.random() * 2)
    strike = (moment) => {
      if (moment !== moments[n % moments.length] || left-- > 0) return
      strike = null
      running.kill('SIGKILL')
    }
    // Each process sends two messages of its own, so each moment comes twice.
    expect(await running.exited).toBe(137)
  }
  strike = null
  const last = await openMail(path, server.url())
  await freeLeases(last.gate.documents)
  await last.sendAll()
  const rows = await last.gate.owner.rows(ReportMail).list({ limit: 10_000 })
  await last.stop()

  const times = new Map<string, number>()
  for (const { to } of server.received) for (const one of to) times.set(one, (times.get(one) ?? 0) + 1)
  const arrived = (email: string) => times.get(`<${email}>`) ?? 0
  const of = (state: string) => rows.filter((row) => row.state === state)
  const figures = {
    messages: rows.length,
    twice: rows.filter(({ email }) => arrived(email) > 1).length,
    sent_and_lost: of('sent').filter(({ email }) => arrived(email) === 0).length,
    /** Neither sent, nor left to the decision of a person. */
    forgotten: rows.length - of('sent').length - of('unknown').length,
  }
  if (process.env.RENOWN_KILLS) {
    const unknown = of('unknown')
    const there = unknown.filter(({ email }) => arrived(email) === 1).length
    console.log({ ...figures, kills, sent: of('sent').length, unknown: unknown.length, unknown_there: there })
  }
  expect(figures).toEqual({ messages: 2 * kills, twice: 0, sent_and_lost: 0, forgotten: 0 })
}, 3_600_000)
