import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { playStory, type StoryStep } from './support/story'
import { edgeParts, restartParts } from './support/story-edges'
import { formParts } from './support/story-forms'
import { googleParts } from './support/story-google'
import { llm } from './support/story-hand'
import { facebookParts, placesParts } from './support/story-others'

/**
 * What each step of a story changes in the stores and asks of the platform, compared with the changes that were read
 * through once. Where they change on purpose, `RENOWN_GOLDEN=write` writes the file anew: read what changes in it.
 */
const path = join(import.meta.dir, 'story.json')
const isWriting = process.env.RENOWN_GOLDEN === 'write'
const known: Record<string, readonly StoryStep[]> = isWriting ? {} : await Bun.file(path).json()
afterAll(async () => {
  if (isWriting) await Bun.write(path, `${JSON.stringify(known, null, 2)}\n`)
})

const stories = [
  ['a Google location', { given: { settings: llm }, parts: googleParts }],
  ['a Facebook Page', { given: { platform: 'facebook', settings: llm }, parts: facebookParts }],
  ['replies that something stands against', { given: { settings: llm }, parts: edgeParts }],
  ['a process that starts anew', { given: {}, parts: restartParts }],
  ['the forms', { given: { settings: llm }, parts: formParts }],
  ['an imported location', { given: { platform: 'places' }, parts: placesParts }],
] as const

test.each(stories)('each step of %s changes what it changed before', async (name, story) => {
  const played = await playStory(story.given, async (world, step) => {
    for (const part of story.parts) await part(world, step)
  })
  const steps: readonly StoryStep[] = JSON.parse(JSON.stringify(played))
  if (isWriting) known[name] = steps
  const expected = known[name] ?? []
  expect(steps.map((step) => step.name)).toEqual(expected.map((step) => step.name))
  for (const [n, step] of steps.entries()) expect(step).toEqual(expected[n] as StoryStep)
})
