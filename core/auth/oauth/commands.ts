import * as v from 'valibot'
import { defineAct, defineCommand, Refusal } from '../../kit'
import { agencyInput, agencyOf } from '../../tenancy/named-agency'
import { connectedApps, endGrant } from './grants/grants'
import { OAuthGrant } from './grants/OAuthGrant'

export const appList = defineCommand({
  name: 'app list',
  summary: 'Show the apps that people have connected, what they may do and when they were last used',
  input: v.strictObject({ agency_id: agencyInput }),
  async run(ctx, { agency_id }) {
    const agencyId = await agencyOf(ctx, agency_id)
    return { apps: await connectedApps(ctx.rows(OAuthGrant), agencyId, ctx.now()) }
  },
})

/** Ends the access of a connected app. */
export const appDisconnect = defineAct({
  name: 'app disconnect',
  summary: "Ends a connected app's access at once. The agent key is not touched",
  on: {
    entity: OAuthGrant,
    field: 'grant_id',
    called: 'connected app',
    hint: '`renown app list` shows the id of each connection.',
  },
  only: 'owner',
  label: 'Disconnect',
  done: 'The app is disconnected. It needs your permission to connect again.',
  audit: {
    action: 'app.disconnect',
    what: 'App disconnected',
    subject: (_, { client_name }) => client_name,
    isOfCredential: true,
  },
  async run(ctx, { row: { id: grant_id, client_name: name } }) {
    const ended = await endGrant(ctx.rows(OAuthGrant), grant_id, 'disconnected', ctx.now())
    if (!ended) throw new Refusal('not_found', `There is no connected app ${grant_id}.`)
    return { answer: { grant_id, name, disconnected: true } }
  },
})
