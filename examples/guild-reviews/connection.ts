import { allPages } from 'renown'
import { defineConnection, type ProviderContext } from 'renown/sources'
import * as v from 'valibot'
import { askGuild } from './ask-guild'
import { guildSettings } from './settings'
import { askToken } from './token'

const text = v.pipe(v.string(), v.minLength(1))
const member = v.object({ id: text, name: text })
const shop = v.object({ id: text, name: text, city: v.optional(v.string()), website: v.optional(v.string()) })
const shopsPage = v.pipe(
  v.object({ shops: v.array(shop), next: v.nullable(v.string()) }),
  v.transform(({ shops, next }) => ({ items: shops, next })),
)

/** Members of the Guild, each with the shops that belong to them. */
export const guildConnection = defineConnection({
  provider: 'guild',
  label: 'The Guild',
  order: 30,
  account: { one: 'Member', many: 'Members' },
  consent: {
    needs: ['GUILD_CLIENT_ID', 'GUILD_CLIENT_SECRET'],
    address(ctx, { state, challenge, redirectUri }) {
      const { GUILD_URL, GUILD_CLIENT_ID } = guildSettings.of(ctx)
      const query = {
        response_type: 'code',
        client_id: GUILD_CLIENT_ID,
        redirect_uri: redirectUri,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }
      return `${GUILD_URL}/oauth/authorize?${new URLSearchParams(query)}`
    },
    async exchange(ctx, { code, verifier, redirectUri }) {
      const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
      const given = await askToken(ctx, { ...form, redirect_uri: redirectUri }, code)
      const tokens = {
        access: { token: given.accessToken, livesMs: given.livesMs },
        ...(given.refreshToken === undefined ? {} : { refresh: given.refreshToken }),
      }
      const { id, name } = await memberOf(ctx, given.accessToken)
      return { accounts: [{ account_id: id, account_name: name, tokens }] }
    },
    about: 'The Guild asks whether Renown may see your shops.',
    setup: 'At the Guild, register an OAuth client.',
    redirectHint: 'Register it at the Guild as the redirect address of the client.',
    connected: 'The member is connected. Add the shops as locations, so that Renown reads their reviews.',
  },
  tokenFile: { kind: 'refresh', called: 'a refresh token', accountId: 'the id of the member' },
  renew: (ctx, refreshToken) =>
    askToken(ctx, { grant_type: 'refresh_token', refresh_token: refreshToken }, refreshToken),
  async locations(ctx, { id, account_id }) {
    const token = await ctx.outbound.connections.token(id)
    const path = `members/${encodeURIComponent(account_id)}/shops`
    const shops = await allPages('shops', (after) => {
      const query: Record<string, string> = after === null ? {} : { after }
      return askGuild(ctx, { path, query, token, what: "The Guild's page of shops", answer: shopsPage })
    })
    const locations = shops.map(({ id, name, city, website }) => ({
      id: `${account_id}/${id}`,
      ...(city === undefined ? {} : { place: city }),
      profile: { business_name: name, city, website },
    }))
    return { locations, elsewhere: 0 }
  },
  limits(ctx) {
    const { GUILD_URL, GUILD_CLIENT_ID, GUILD_CALLS_PER_MINUTE } = guildSettings.of(ctx)
    return [
      {
        address: GUILD_URL,
        client: `guild:${GUILD_CLIENT_ID}`,
        callsPerMinute: GUILD_CALLS_PER_MINUTE,
        keptForReplies: 0,
        isWide: ({ kind }) => kind === 'rate',
      },
    ]
  },
})

const memberOf = (ctx: ProviderContext, token: string) =>
  askGuild(ctx, { path: 'me', token, what: "The Guild's member", answer: member })
