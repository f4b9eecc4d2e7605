import { expect, test } from 'bun:test'
import {
  testConnection,
  testLocationCard,
  testPlatformId,
  testReviewSource,
  testSetupStep,
} from 'renown/testing'
import { createGuild, guildClient, guildMember, guildRefreshToken } from './guild-stand-in'
import guild from './index'

const settings = {
  GUILD_URL: 'http://guild.test',
  GUILD_CLIENT_ID: guildClient.id,
  GUILD_CLIENT_SECRET: guildClient.secret,
}

const connection = { provider: 'guild', account_id: guildMember.id, refresh_token: guildRefreshToken }

testReviewSource({
  plugin: guild,
  name: 'guild',
  settings,
  connection,
  isSetup: ({ url }) => new URL(url).pathname === '/oauth/token',
  location: { platform_id: `guild:${guildMember.id}/shop-12` },
  standIn() {
    const standIn = createGuild()
    return {
      fetch: standIn.fetch,
      set(reviews) {
        standIn.reviews = reviews.map(({ id, stars, text, at }) => ({
          id,
          stars,
          text,
          written: at.toISOString(),
        }))
      },
    }
  },
})

const standIn = createGuild()
standIn.shops = Array.from({ length: 60 }, (_, n) => ({ id: `shop-${n}`, name: `Shop ${n}`, city: 'Leeds' }))

testConnection({
  plugin: guild,
  settings,
  connection,
  locations: standIn.shops.map(({ id }) => `${guildMember.id}/${id}`),
  fetch: standIn.fetch,
  allow: standIn.allow,
  ended: () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
})

testPlatformId({
  plugin: guild,
  name: 'guild',
  written: ['member-7/shop-12'],
  other: 'member-7/shop-13',
  invalid: ['12', 'shop-12', 'https://guild.example/shop-12'],
})

testSetupStep({
  plugin: guild,
  name: 'guild',
  async prepare(gate, workspace_id) {
    const location = { business_name: 'Acme', source: 'guild', is_active: true, is_prospect: false }
    await gate.putForeign('BusinessLocation', { ...location, auto_response_enabled: false }, workspace_id)
  },
})

testLocationCard({
  plugin: guild,
  name: 'guild',
  shows: '2 reviews at the Guild, 1 with four or five stars.',
  async prepare(gate, { id: location_id }) {
    const review = { location_id, source: 'guild', is_read: false, is_flagged: false }
    for (const star_rating of [5, 2])
      await gate.putForeign('Review', { ...review, source_id: `guild-${star_rating}`, star_rating })
  },
})

test('the stand-in has no complaint about the consents of the suite', () => {
  expect(standIn.complaints).toEqual([])
})
