import { actOperation, field } from 'renown'
import * as v from 'valibot'
import { channels } from '../records/channels'
import { adviceOn } from '../tracking/begin-tracking'
import { beginTracker } from '../tracking/tracker-acts'

const keywordText = v.pipe(v.string(), v.minLength(1), v.maxLength(500))
const list = (max: number, description: string) =>
  v.pipe(v.array(keywordText), v.maxLength(max), v.description(description))

/** Sets up the first tracker of mentions of a location. */
export const setupMentionTracking = actOperation(beginTracker, {
  name: 'setupMentionTracking',
  summary:
    'Create the first tracker of a location that searches public posts for mentions. 409 with its id if it exists already',
  class: 'setup',
  crossAgency: 'own',
  record: ['location_id', 'The business location'],
  fields: {
    keywords: v.pipe(
      list(50, 'Keywords in the keyword language, such as "acme plumbing" or acme NEAR/5 plumber'),
      v.minLength(1),
      v.examples([['"acme plumbing"']]),
    ),
    excluded_keywords: v.optional(list(50, 'Posts that match one of these are left out')),
    sources: v.optional(
      v.pipe(
        v.array(v.picklist(channels)),
        v.maxLength(channels.length),
        v.description('Channels to search. Default: all that this installation can read'),
      ),
    ),
  },
  output: v.object({
    tracker_id: field.code('The tracker'),
    name: field.text('Name of the tracker'),
    keywords: field.texts('Its keywords'),
    excluded_keywords: field.texts('Keywords that leave a post out'),
    sources: field.codes('Channels that it searches; empty: all'),
    countries: field.codes('Countries that the business works in; empty: it is searched for globally'),
    advice: field.texts('Sentences about keywords that probably do not mean what was intended'),
  }),
  given: ({ keywords, excluded_keywords, sources }) => ({ keywords, sources, exclude: excluded_keywords }),
  answer: ({ id, name, keywords, excluded_keywords, sources, countries }) => ({
    tracker_id: id,
    name,
    keywords,
    excluded_keywords,
    sources,
    countries,
    advice: adviceOn(keywords),
  }),
})
