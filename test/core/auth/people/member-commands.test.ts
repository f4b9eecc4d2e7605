import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { OAuthGrant } from '../../../../core/auth/oauth/grants/OAuthGrant'
import { people } from '../../../../core/auth/people/plugin'
import { Session } from '../../../../core/auth/Session'
import { tenancy, User } from '../../../../core/product/tenancy-plugin'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
let agency: Record<string, string>
beforeEach(async () => {
  bench = await workbench([tenancy, people])
  agency = await bench.command('agency create', { name: 'Acme', owner_email: 'owner@example.com' })
})
afterEach(() => bench.stop())

const peopleOf = async () =>
  (await bench.command('person list', {})).people as unknown as Record<string, unknown>[]

describe('person invite', () => {
  test('adds a member of the given workspaces, with a link that signs in once', async () => {
    const client = await bench.command('workspace create', { name: 'Client' })
    const invited = await bench.command('person invite', {
      name: 'Mia',
      workspace_ids: [client.workspace_id],
    })
    expect(invited).toMatchObject({ name: 'Mia', role: 'member', user_id: expect.stringMatching(/^usr_/) })
    expect(invited.sign_in_link).toMatch(/\/app\/link\?token=rnw_link_[0-9A-Za-z]+$/)
    expect(await peopleOf()).toContainEqual({
      name: 'Mia',
      email: undefined,
      role: 'member',
      status: 'invited',
      workspaces: 1,
      user_id: invited.user_id,
    })
  })

  test('and is active as soon as there is a password', async () => {
    const { user_id } = await bench.command('person invite', { name: 'Mia' })
    await bench.owner.rows(User).update(String(user_id), { password_hash: 'hash' })
    expect((await peopleOf()).find((one) => one.user_id === user_id)).toMatchObject({ status: 'active' })
  })

  test('of how many workspaces each is, is listed', async () => {
    const ids = [agency.workspace_id, (await bench.command('workspace create', { name: 'B' })).workspace_id]
    await bench.command('person invite', { name: 'Two', workspace_ids: ids })
    await bench.command('person invite', { name: 'None' })
    await bench.command('person invite', { name: 'Owner', role: 'owner' })
    const listed = (await peopleOf()).map(({ name, role, workspaces }) => [name, role, workspaces])
    expect(listed).toContainEqual(['Two', 'member', 2])
    expect(listed).toContainEqual(['None', 'member', 0])
    expect(listed).toContainEqual(['Owner', 'owner', 'all'])
  })

  test('is recorded, as is each new link', async () => {
    const actions = async () =>
      (await bench.owner.rows(AuditEntry).list({}))
        .map(({ action, subject }) => `${action} ${subject ?? ''}`.trim())
        .filter((action) => action.startsWith('person.'))
    const before = (await actions()).length
    const { user_id } = await bench.command('person invite', { name: 'Mia' })
    await bench.command('person link create', { user_id })
    expect(
      (await actions())
        .slice(before)
        .map((action) => action.split(' ')[0])
        .sort(),
    ).toEqual(['person.invite', 'person.link_made'])
  })

  test('names workspaces that the agency does not have, and adds nobody', async () => {
    const other = await bench.command('agency create', { name: 'Other' })
    const typed = { name: 'Mia', agency_id: agency.agency_id, workspace_ids: [other.workspace_id, 'wsp_no'] }
    const refused = await bench.command('person invite', typed).catch((error) => error)
    expect(refused).toMatchObject({
      code: 'invalid_field',
      details: { errors: [{ pointer: '/workspace_ids' }] },
    })
    expect(refused.message).toContain(`${other.workspace_id}, wsp_no`)
    expect((await bench.owner.rows(User).list({})).some(({ name }) => name === 'Mia')).toBe(false)
  })

  test('a new link replaces the earlier one; an owner with a password gets none', async () => {
    const { user_id } = await bench.command('person invite', { name: 'Mia' })
    const again = await bench.command('person link create', { user_id })
    expect(again.sign_in_link).toContain('/app/link?token=')
    await bench.owner.rows(User).update(agency.user_id ?? '', { password_hash: 'x' })
    const refused = bench.command('person link create', { user_id: agency.user_id })
    expect(await refused.catch(({ code }) => code)).toBe('conflict')
  })
})

describe('person deactivate', () => {
  test('ends the sessions and apps of that person alone, and is recorded once', async () => {
    const mia = await bench.command('person invite', { name: 'Mia', role: 'owner' })
    await bench.owner.rows(User).update(mia.user_id ?? '', { email: 'mia@harbour.example' })
    const ids = [mia.user_id ?? '', agency.user_id ?? '']
    for (const user_id of ids) {
      const own = { workspace_id: agency.agency_id ?? '', agency_id: agency.agency_id ?? '', user_id }
      const at = bench.now.toISOString()
      await bench.owner.rows(Session).insert({
        ...own,
        token_hash: `hash ${user_id}`,
        host: 'http://localhost',
        browser: '',
        signed_in_at: at,
        last_used_at: at,
        ends_at: at,
        expires_at: at,
      })
      await bench.owner.rows(OAuthGrant).insert({
        ...own,
        host: 'http://localhost',
        client_id: 'c',
        client_name: 'App',
        is_verified: false,
        app_host: 'app.example',
        scopes: ['read'],
        is_revoked: false,
        expires_at: at,
      })
    }
    for (let time = 0; time < 2; time++)
      expect(
        await bench.command('person deactivate', {
          user_id: time === 0 ? 'mia@harbour.example' : mia.user_id,
        }),
      ).toMatchObject({
        status: 'deactivated',
      })
    expect((await bench.owner.rows(Session).list({})).map(({ user_id }) => user_id)).toEqual([ids[1] ?? ''])
    const grants = await bench.owner.rows(OAuthGrant).list({})
    expect(grants.map(({ user_id, is_revoked }) => `${user_id} ${is_revoked}`).sort()).toEqual(
      [`${ids[0]} true`, `${ids[1]} false`].sort(),
    )
    const actions = (await bench.owner.rows(AuditEntry).list({})).map(({ action }) => action)
    expect(actions.filter((action) => action === 'person.deactivate')).toHaveLength(1)
    expect(actions).toContain('app.person_left')
    await bench.command('person activate', { user_id: mia.user_id })
    expect((await bench.owner.rows(User).get(mia.user_id ?? ''))?.is_active).toBe(true)
  })

  test('never leaves an agency without an owner', async () => {
    const refused = bench.command('person deactivate', { user_id: agency.user_id })
    expect(await refused.catch(({ code }) => code)).toBe('conflict')
    expect((await bench.owner.rows(User).get(agency.user_id ?? ''))?.is_active).toBe(true)
  })

  test.each(['person deactivate', 'person activate', 'person link create'])(
    '%s says where ids come from',
    async (name) => {
      const refused = await bench.command(name, { user_id: 'usr_nobody' }).catch((error) => error)
      expect([refused.code, refused.details.hint]).toEqual([
        'not_found',
        '`bun renown person list` shows all people.',
      ])
    },
  )
})
