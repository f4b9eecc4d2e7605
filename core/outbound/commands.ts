import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { defineCommand, field, Refusal, where } from '../index'
import { Workspace } from '../tenancy/Workspace'
import { Connection } from './Connection'
import { tokenPlace } from './connections'

const providers = ['google', 'facebook'] as const
const tokenFileMax = 10_000

const tokenFile = v.pipe(
  v.string(),
  v.description(
    'File that holds the token alone: a refresh token for google, a page token for facebook. Files leave no trace in the history of a shell',
  ),
)

/** Connects an account by a token that somebody got from the service; the same account again replaces its token. */
export const connectionAdd = defineCommand({
  name: 'connection add',
  summary: "Connect a workspace's account with a service by its token",
  input: v.strictObject({
    provider: field.oneOf(providers, 'The service'),
    account_id: v.pipe(
      v.string(),
      v.regex(/^[\w./-]{1,200}$/, 'an account id such as accounts/111 or the id of a Page'),
      v.description("The service's own id: accounts/<number> for google, the Page's id for facebook"),
    ),
    workspace_id: field.text('Workspace it belongs to'),
    token_file: tokenFile,
    account_name: v.optional(v.pipe(v.string(), v.maxLength(200), v.description('What people call it'))),
  }),
  async run(ctx, { provider, account_id, workspace_id, token_file, account_name }) {
    if (!(await ctx.rows(Workspace).get(workspace_id))) {
      throw new Refusal('not_found', `There is no workspace ${workspace_id}.`)
    }
    const token = readToken(token_file)
    const name = account_name === undefined ? {} : { account_name }
    const rows = ctx.rows(Connection)
    const same = where.and(
      where.eq('workspace_id', workspace_id),
      where.eq('provider', provider),
      where.eq('account_id', account_id),
    )
    const [known] = await rows.list({ where: same, limit: 1 })
    const row = known ?? (await rows.insert({ workspace_id, provider, account_id, state: 'broken', ...name }))
    const slot = provider === 'google' ? 'refresh_token' : 'access_token'
    const sealed = ctx.outbound.secrets.seal(token, tokenPlace(row, slot))
    const cleared = { error: undefined, renewal_until: undefined }
    const ended = provider === 'google' ? { access_token: undefined, access_token_ends_at: undefined } : {}
    await rows.update(row.id, { state: 'connected', ...name, ...cleared, ...ended, [slot]: sealed })
    return { connection_id: row.id, provider, account_id, replaced: known !== undefined }
  },
})

/** Every account that is connected, without its secrets. */
export const connectionList = defineCommand({
  name: 'connection list',
  summary: 'Show the accounts that are connected, and whether they work',
  input: v.strictObject({ workspace_id: v.optional(field.text('Only those of this workspace')) }),
  async run(ctx, { workspace_id }) {
    const own = workspace_id === undefined ? undefined : where.eq('workspace_id', workspace_id)
    const rows = await ctx.rows(Connection).list({ ...(own ? { where: own } : {}), limit: 1_000 })
    return {
      connections: rows.map(({ id, provider, account_id, account_name, state, error, workspace_id }) => ({
        ...{ connection_id: id, provider, account_id, account_name, state, error, workspace_id },
      })),
    }
  },
})

/** Forgets an account and its tokens; what was read with it stays. */
export const connectionRemove = defineCommand({
  name: 'connection remove',
  summary: 'Forget a connected account and its tokens. What was read with it stays',
  input: v.strictObject({ connection_id: field.text('Which one, as the list shows it') }),
  positional: ['connection_id'],
  async run(ctx, { connection_id }) {
    const removed = await ctx.rows(Connection).removeWhere(where.eq('id', connection_id))
    if (removed === 0) throw new Refusal('not_found', `There is no connection ${connection_id}.`)
    return { connection_id, removed: true }
  },
})

function readToken(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new Refusal('invalid_field', `The token file ${path} cannot be read by the product.`)
  }
  const token = text.trim()
  if (token === '' || token.length > tokenFileMax || /\s/.test(token)) {
    throw new Refusal('invalid_field', `The token file ${path} does not hold one token alone.`)
  }
  return token
}
