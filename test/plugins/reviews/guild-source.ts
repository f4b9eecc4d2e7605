import { definePlugin, defineSettings, foreignFault, setting, settingForm } from 'renown'
import { readRows, reviewSource, starsOf, unreadOf } from 'renown/reviews'
import * as v from 'valibot'

const settings = defineSettings({
  GUILD_URL: setting(settingForm.text, 'https://api.guild.example', 'Address of the Guild.'),
  GUILD_KEY: setting(settingForm.text, '', 'Key of the Guild. Empty: it is not asked.'),
})

const review = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  stars: v.number(),
  text: v.string(),
  written: v.pipe(v.string(), v.isoTimestamp()),
})

const answer = v.object({ reviews: v.array(v.unknown()), next: v.nullable(v.string()) })

export default definePlugin({
  name: 'guild',
  renown: '^1.0.0',
  needs: ['reviews'],
  settings,
  provides: [
    reviewSource.with({
      ...{ name: 'guild', source: 'guild', label: 'The Guild', order: 50, evidence: 'paged' },
      reads: (ctx, { business_name }) => settings.of(ctx).GUILD_KEY !== '' && business_name !== undefined,
      async open(ctx, { business_name = '' }, { signal }) {
        const { GUILD_URL, GUILD_KEY: key } = settings.of(ctx)
        return {
          async page(token) {
            const query = new URLSearchParams({ business: business_name, after: token ?? '' })
            const page = await ctx.outbound.ask({
              ...{ what: "The Guild's page of reviews", answer, signal, secrets: [key] },
              url: `${GUILD_URL}/reviews?${query}`,
              headers: { authorization: `Bearer ${key}` },
              faultOf: (told) => (told.status === 200 ? null : foreignFault(told, 'The Guild')),
            })
            const { rows, unread } = readRows(review, page.reviews, 'id')
            const reviews = rows.map(({ id, stars, text, written }) => ({
              ...{ source_id: id, star_rating: starsOf(stars), review_text: text },
              review_created_at: new Date(written).toISOString(),
            }))
            return { reviews, total: null, next: page.next, ...unreadOf(unread) }
          },
        }
      },
    }),
  ],
})
