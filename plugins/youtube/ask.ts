import { type ServiceFault, trimTrailing } from 'renown'
import { askSource, type SourceAsk, type SourceContext } from 'renown/leads'
import type * as v from 'valibot'
import { youTubeSettings } from './settings'

/** The requested thing, as it appears in errors. */
export const what = 'The answer of YouTube'

const kinds: Readonly<Record<string, ServiceFault['kind']>> = {
  quotaExceeded: 'quota',
  dailyLimitExceeded: 'quota',
  rateLimitExceeded: 'rate',
  keyInvalid: 'auth',
  accessNotConfigured: 'permission',
  forbidden: 'permission',
  commentsDisabled: 'permanent',
  videoNotFound: 'permanent',
  processingFailure: 'permanent',
}

/** Calls YouTube with the key of the installation. */
export const askYouTube = <S extends v.GenericSchema>(
  ctx: SourceContext,
  path: string,
  answer: S,
  signal: AbortSignal,
  query: NonNullable<SourceAsk<S>['query']>,
): Promise<v.InferOutput<S>> => {
  const { YOUTUBE_URL, YOUTUBE_API_KEY: key } = youTubeSettings.of(ctx)
  const service = {
    label: 'YouTube',
    headers: { 'x-goog-api-key': key },
    secrets: [key],
    keyNames: ['YOUTUBE_API_KEY'],
    kindOf: (code: string, message: string) => (/API key/i.test(message) ? 'auth' : kinds[code]),
  }
  return askSource(ctx, service, {
    url: `${trimTrailing(YOUTUBE_URL, '/')}/${path}`,
    query,
    answer,
    signal,
  })
}
