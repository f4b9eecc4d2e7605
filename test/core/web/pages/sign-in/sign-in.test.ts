import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createGrants } from '../../../../../core/auth/oauth/grants/grants'
import { OwnerLink } from '../../../../../core/auth/people/OwnerLink'
import { Session } from '../../../../../core/auth/Session'
import { runCommand } from '../../../../../core/contexts/run-command'
import { everything, where } from '../../../../../core/contracts/where'
import { base32, generateHOTP } from '../../../../../core/process/crypto'
import type { Documents } from '../../../../../core/stores/documents/port'
import { auditOf } from '../../../../../core/tenancy/audit/audit'
import { User } from '../../../../../core/tenancy/User'
import { type Gate, startGate } from '../../../../support/harness'
import { describeGateStores } from '../../../../support/mongo'
import { createVisitor, type SeenPage, type Visitor } from '../../../../support/visitor'

const email = 'ada@example.com'
const password = 'correct horse staple'
const minuteMs = 60_000

describeGateStores('signing in, on %s', (_store, open) => {
  let gate: Gate
  let documents: Documents | undefined
  beforeAll(async () => {
    documents = await open()
    gate = await startGate(documents ? { documents } : {})
    const { agencyId } = gate.tenant
    const owner = { workspace_id: agencyId, agency_id: agencyId, role: 'owner', is_active: true } as const
    await gate.owner.rows(User).insert({ ...owner, name: 'Ada' })
    const other = gate.stranger.agencyId
    await gate.owner.rows(User).insert({ ...owner, workspace_id: other, agency_id: other, name: 'Bob' })
  })
  afterAll(async () => {
    await gate.stop()
    await documents?.close()
  })

  const visitor = (address = '203.0.113.7') =>
    createVisitor((request) => gate.gateway.fetch(request, () => address))
  const link = async (agency_id = gate.tenant.agencyId) => {
    const made = await runCommand(
      { commands: gate.registry.commands, owner: gate.owner },
      'owner link create',
      {
        agency_id,
      },
    )
    return String(made.owner_link).replace('http://localhost:3000', '')
  }
  const ada = async () => {
    const [person] = await gate.owner.rows(User).list({ where: where.eq('email', email) })
    if (!person) throw new Error('Ada has no address yet')
    return person
  }
  const welcome = async (who: Visitor, fields: Record<string, string> = {}) => {
    await who.open(await link())
    await who.submit('/app/link')
    return who.submit('/app/welcome', { email, password, again: password, ...fields })
  }
  const signIn = async (who: Visitor, typed = password, address = email, path = '/app/sign-in') => {
    await who.open(path)
    return who.submit('/app/sign-in', { email: address, password: typed })
  }
  const isIn = async (who: Visitor) => (await who.open('/app/account')).path === '/app/account'
  let secret = ''
  const code = (halfMinutes = 0) =>
    generateHOTP(base32.decode(secret), Math.floor(gate.clock.now().getTime() / 30_000) + halfMinutes)

  test('a link is looked at as often as one likes and used once', async () => {
    const path = await link()
    const first = visitor()
    const scanner = visitor()
    for (const who of [first, scanner, first])
      expect((await who.open(path)).text).toContain('signs you in to Renown once')
    const seen = await first.submit('/app/link')
    expect(seen.path).toBe('/app/welcome')
    expect((await first.open(path)).path).toBe('/app/welcome')
    expect((await scanner.submit('/app/link')).status).toBe(410)
    expect((await visitor().open(path)).text).toContain('This link no longer works')
    expect(await isIn(first)).toBe(false)
    expect(await gate.owner.rows(OwnerLink).count(everything)).toBe(0)
  })

  test('of two who press at the same time one gets in', async () => {
    const path = await link()
    const all = [visitor(), visitor(), visitor(), visitor()]
    for (const who of all) await who.open(path)
    const answers = await Promise.all(all.map((who) => who.submit('/app/link')))
    expect(answers.filter(({ path }) => path === '/app/welcome')).toHaveLength(1)
  })

  test('a newer link ends the older, and a day ends both', async () => {
    const old = await link()
    const path = await link()
    expect((await visitor().open(old)).status).toBe(410)
    expect((await visitor().open(path)).status).toBe(200)
    gate.clock.advance(24 * 60 * minuteMs)
    expect((await visitor().open(path)).status).toBe(410)
    expect((await visitor().open('/app/link?token=rnw_link_made_up')).status).toBe(410)
    expect((await visitor().open('/app/link')).status).toBe(410)
  })

  test('the link asks for an address and a password, field by field, and then lets in', async () => {
    const who = visitor()
    const wrong = await welcome(who, { email: 'ada@', password: 'short', again: 'other' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toMatch(
      /<input(?=[^>]*id="email")(?=[^>]*aria-invalid="true")(?=[^>]*aria-describedby="email-error")/,
    )
    expect(wrong.html).toMatch(
      /<input(?=[^>]*id="password")(?=[^>]*aria-describedby="password-hint password-error")/,
    )
    expect(wrong.text).toContain('Enter an e-mail address such as')
    expect(wrong.html).not.toContain('short')
    const differing = await who.submit('/app/welcome', { email, password, again: `${password}r` })
    expect(differing.text).toContain('The two passwords differ')
    const done = await who.submit('/app/welcome', { email: ' ADA@Example.com ', password, again: password })
    expect(done.path).toBe('/app')
    const { text } = await who.open('/app/account')
    expect(text).toContain(email)
    expect(text).toContain('Firefox on Linux')
  })

  test('nobody takes an address that somebody signs in with', async () => {
    const bob = visitor()
    await bob.open(await link(gate.stranger.agencyId))
    await bob.submit('/app/link')
    const taken = await bob.submit('/app/welcome', { email, password, again: password })
    expect(taken.status).toBe(422)
    expect(taken.text).toContain('Another person already uses this address')
    const other = { email: 'bob@example.com', password, again: password }
    expect((await bob.submit('/app/welcome', other)).path).toBe('/app')
  })

  test('goes on where it was going, and nowhere else', async () => {
    const who = visitor()
    const asked = await who.open('/app/design')
    expect(asked.path).toBe('/app/sign-in?next=%2Fapp%2Fdesign')
    expect((await who.submit('/app/sign-in', { email, password })).path).toBe('/app/design')
    expect((await who.open('/app/sign-in?next=/app/account')).path).toBe('/app/account')
    const astray = visitor()
    expect((await signIn(astray, password, email, '/app/sign-in?next=https%3A%2F%2Fevil.example')).path).toBe(
      '/app',
    )
  })

  test('the first sign-in keeps the language that the browser prefers, and a later one changes nothing', async () => {
    const speaking = (languages: string) =>
      createVisitor((request) => {
        request.headers.set('accept-language', languages)
        return gate.gateway.fetch(request, () => '203.0.113.7')
      })
    expect((await ada()).language).toBeUndefined()
    await signIn(speaking('fr'))
    expect((await ada()).language).toBeUndefined()
    await signIn(speaking('de-CH, en;q=0.5'))
    expect((await ada()).language).toBe('de')
    await signIn(speaking('en-GB'))
    expect((await ada()).language).toBe('de')
    await gate.owner.rows(User).update((await ada()).id, { language: undefined })
  })

  test('says the same to a wrong password and to an unknown address', async () => {
    const plain = ({ status, text }: SeenPage) => ({ status, text })
    const wrong = plain(await signIn(visitor(), 'wrong password here'))
    const unknown = plain(await signIn(visitor(), 'wrong password here', 'eve@example.com'))
    expect(wrong).toEqual(unknown)
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('address or the password is wrong')
  })

  test('is under a new cookie each time, and nothing of before leads in', async () => {
    const who = visitor()
    await who.open('/app/sign-in')
    const before = new Map(who.cookies)
    await signIn(who)
    expect(who.cookies.get('renown_session')).toBeDefined()
    expect(who.cookies.get('renown_visit')).toBeUndefined()
    expect(before.get('renown_session')).toBeUndefined()
    const first = who.cookies.get('renown_session')
    await who.submit('/app/sign-out')
    await signIn(who)
    expect(who.cookies.get('renown_session')).not.toBe(first)
  })

  test('signing out ends the session itself, not only the cookie', async () => {
    const who = visitor()
    await signIn(who)
    const kept = new Map(who.cookies)
    expect((await who.submit('/app/sign-out')).text).toContain('You are signed out')
    for (const [name, value] of kept) who.cookies.set(name, value)
    expect(await isIn(who)).toBe(false)
  })

  test('a form without its token, or with that of another visit, does nothing', async () => {
    const who = visitor()
    const other = visitor()
    await who.open('/app/sign-in')
    expect((await who.submit('/app/sign-in', { email, password, csrf: '' })).status).toBe(403)
    await who.open('/app/sign-in')
    const strange = await other.open('/app/sign-in')
    const csrf = /name="csrf" value="(\w+)"/.exec(strange.html)?.[1] ?? ''
    expect((await who.submit('/app/sign-in', { email, password, csrf })).status).toBe(403)
    expect(await isIn(who)).toBe(false)
  })

  test('five tries are free; then a browser that signed in before goes on, and others wait, right or wrong', async () => {
    const known = visitor()
    await signIn(known)
    await known.submit('/app/sign-out')
    const thief = visitor('198.51.100.9')
    for (let n = 1; n <= 5; n++) expect((await signIn(thief, `guess number ${n}`)).status).toBe(422)
    for (const typed of ['guess number 6', password]) {
      const refused = await signIn(thief, typed)
      expect(refused.status).toBe(429)
      // Fewer than 15 where the machine is slow.
      expect(refused.headers.get('retry-after')).toMatch(/^(?:1[0-5]|[5-9])$/)
      expect(refused.text).toContain(`Wait ${refused.headers.get('retry-after')} seconds`)
    }
    expect((await signIn(known)).path).toBe('/app')
    expect((await signIn(thief, 'guess number 7')).status).toBe(429)
    gate.clock.advance(15_001)
    expect((await signIn(thief, 'guess number 8')).status).toBe(422)
    expect((await signIn(thief)).headers.get('retry-after')).toMatch(/^(?:30|2\d)$/)
    gate.clock.advance(30_001)
    expect((await signIn(thief)).path).toBe('/app')
    await (await visitor()).open('/app')
  })

  test('an address that fails twenty times waits, whoever it asks for', async () => {
    for (let n = 0; n < 20; n++)
      expect(
        (await signIn(visitor('192.0.2.1'), 'wrong password here', `nobody${n}@example.com`)).status,
      ).toBe(422)
    expect((await signIn(visitor('192.0.2.1'))).status).toBe(429)
    expect((await signIn(visitor('192.0.2.2'))).path).toBe('/app')
    gate.clock.advance(15 * minuteMs)
  })

  test('a second step is set up with the code that proves it, after the password was given again', async () => {
    const who = visitor()
    await signIn(who)
    gate.clock.advance(11 * minuteMs)
    expect((await who.open('/app/account/two-step')).path).toBe(
      '/app/confirm?next=%2Fapp%2Faccount%2Ftwo-step',
    )
    expect((await who.submit('/app/confirm', { password: 'not mine at all' })).text).toContain(
      'not your password',
    )
    const setUp = await who.submit('/app/confirm', { password })
    expect(setUp.path).toBe('/app/account/two-step')
    expect(setUp.html).toContain('<svg')
    secret = (/id="secret" value="([A-Z2-7 ]+)"/.exec(setUp.html)?.[1] ?? '').replaceAll(' ', '')
    expect(base32.decode(secret)).toHaveLength(20)
    const wrong = await who.submit('/app/account/two-step', { code: '000000' })
    expect(wrong.status).toBe(422)
    expect(wrong.html.replaceAll(' ', '')).toContain(secret)
    expect((await ada()).totp_secret).toBeUndefined()
    const codes = await who.submit('/app/account/two-step', { code: await code() })
    expect(codes.html.match(/<code>[0-9a-z]{4}(-[0-9a-z]{4}){3}<\/code>/g)).toHaveLength(10)
    expect(JSON.stringify(await ada())).not.toContain(secret)
  })

  test('then a code is asked for, each once, of this half minute or its neighbours', async () => {
    gate.clock.advance(5 * minuteMs)
    const who = visitor()
    expect((await signIn(who)).path).toBe('/app/sign-in/code')
    expect(await isIn(who)).toBe(false)
    await signIn(who)
    expect((await who.submit('/app/sign-in/code', { code: await code(-2) })).status).toBe(422)
    const right = await code()
    expect(
      (await who.submit('/app/sign-in/code', { code: `${right.slice(0, 3)} ${right.slice(3)}` })).path,
    ).toBe('/app')
    const again = visitor()
    await signIn(again)
    expect((await again.submit('/app/sign-in/code', { code: right })).status).toBe(422)
    expect((await again.submit('/app/sign-in/code', { code: await code(1) })).path).toBe('/app')
  })

  test('a recovery code does as well, once, also while codes have to wait', async () => {
    gate.clock.advance(5 * minuteMs)
    const owner = visitor()
    await signIn(owner)
    await owner.submit('/app/sign-in/code', { code: await code() })
    await owner.open('/app/account/two-step')
    const shown = await owner.submit('/app/account/two-step/codes')
    const codes = [...shown.html.matchAll(/<code>([0-9a-z-]{19})<\/code>/g)].map((match) => match[1] ?? '')
    expect(codes).toHaveLength(10)
    const thief = visitor('198.51.100.10')
    await signIn(thief)
    for (let n = 0; n < 5; n++)
      expect((await thief.submit('/app/sign-in/code', { code: '000000' })).status).toBe(422)
    expect((await thief.submit('/app/sign-in/code', { code: await code(1) })).status).toBe(429)
    const phoneless = visitor()
    await signIn(phoneless)
    const recovered = await phoneless.submit('/app/sign-in/code', { code: ` ${codes[3]?.toUpperCase()} ` })
    expect(recovered.path).toBe('/app')
    expect((await phoneless.open('/app/account')).text).toContain('Recovery codes left 9')
    const twice = visitor()
    await signIn(twice)
    expect((await twice.submit('/app/sign-in/code', { code: codes[3] ?? '' })).status).toBe(422)
    expect(JSON.stringify(await ada())).not.toContain(codes[0] ?? '-')
  })

  test('a sign-in half way in is given up after ten minutes, and on another host', async () => {
    const who = visitor()
    await signIn(who)
    const elsewhere = createVisitor(
      (request) => gate.gateway.fetch(request, () => null),
      'http://localhost:3999',
    )
    for (const [name, value] of who.cookies) elsewhere.cookies.set(name, value)
    expect((await elsewhere.open('/app/sign-in/code')).path).toBe('/app/sign-in')
    gate.clock.advance(10 * minuteMs)
    expect((await who.open('/app/sign-in/code')).path).toBe('/app/sign-in')
  })

  test('whoever lost both gets in by a link, which ends every session and, if ticked, the second step', async () => {
    gate.clock.advance(15 * minuteMs)
    const before = visitor()
    await signIn(before)
    await before.submit('/app/sign-in/code', { code: await code() })
    expect(await isIn(before)).toBe(true)
    const kept = await welcome(visitor())
    expect(kept.path).toBe('/app')
    expect(await isIn(before)).toBe(false)
    expect((await signIn(visitor())).path).toBe('/app/sign-in/code')
    await welcome(visitor(), { lost: 'yes' })
    expect((await signIn(visitor())).path).toBe('/app')
  })

  /** An app that Ada allowed. */
  const allow = async () => {
    const { id, agency_id } = await ada()
    const about = { client_id: 'app', client_name: 'App', is_verified: false, app_host: 'localhost' }
    const host = 'http://localhost:3000'
    const { begin } = createGrants(gate)
    return (await begin({ ...about, user_id: id, agency_id, host, scopes: ['read'] })).id
  }

  test('a new password needs the present one and ends all other sessions, and every app', async () => {
    const who = visitor()
    const other = visitor()
    const app = await allow()
    await signIn(who)
    await signIn(other)
    await who.open('/app/account')
    const fresh = 'battery and a horse'
    const wrong = await who.submit('/app/account/password', {
      current: 'nope',
      password: fresh,
      again: fresh,
    })
    expect(wrong.text).toContain('This is not your password')
    expect(await createGrants(gate).live(app)).not.toBeNull()
    const done = await who.submit('/app/account/password', {
      current: password,
      password: fresh,
      again: fresh,
    })
    expect(done.text).toContain('Your password is changed')
    expect(await isIn(other)).toBe(false)
    expect(await createGrants(gate).live(app)).toBeNull()
    expect((await signIn(visitor(), password)).status).toBe(422)
    expect((await signIn(visitor(), fresh)).path).toBe('/app')
    const again = await allow()
    await welcome(visitor())
    expect(await createGrants(gate).live(again)).toBeNull()
  })

  test('sessions are listed, and all others end at once', async () => {
    await gate.owner.rows(Session).removeWhere(where.eq('user_id', (await ada()).id))
    const who = visitor()
    const other = visitor()
    await signIn(other)
    await signIn(who)
    const seen = await who.open('/app/account')
    expect(seen.html.match(/<tr><th scope="row">Firefox on Linux/g)).toHaveLength(2)
    expect(seen.text.match(/this session/g)).toHaveLength(1)
    await who.submit('/app/account/sessions')
    expect(await isIn(other)).toBe(false)
    expect(await isIn(who)).toBe(true)
  })

  test('all of it stands in the audit log, and nothing secret does', async () => {
    const { entries } = await auditOf(gate.owner).list(gate.tenant.agencyId, {
      kind: 'person',
      limit: 1_000,
    })
    const seen = new Set(entries.map(({ action, outcome }) => `${action.slice(7)} ${outcome}`))
    for (const each of [
      'owner_link_made',
      'owner_link',
      'password_set',
      'sign_in',
      'sign_out',
      'confirm',
      'second_factor_on',
      'recovery_codes',
      'recovery_code',
      'sessions_ended',
    ])
      expect([...seen]).toContain(`${each} done`)
    for (const each of ['sign_in', 'confirm', 'second_factor']) expect([...seen]).toContain(`${each} refused`)
    const text = JSON.stringify(entries)
    for (const each of [password, email, secret, 'rnw_', '203.0.113.7', 'Gecko'])
      expect(text).not.toContain(each)
  })

  test('an inactive person is nobody', async () => {
    const who = visitor()
    await signIn(who)
    const { id } = await ada()
    await gate.owner.rows(User).update(id, { is_active: false })
    expect(await isIn(who)).toBe(false)
    expect((await signIn(visitor())).status).toBe(422)
    await gate.owner.rows(User).update(id, { is_active: true })
  })
})
