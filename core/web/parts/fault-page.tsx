/** @jsxImportSource ../jsx */
import { ButtonLink, Card, Head } from '../kit'
import type { PageInput } from '../page'

const titles: Readonly<Record<number, string>> = {
  403: 'That was not accepted',
  404: 'There is no such page',
  405: 'There is no such page',
  413: 'That is too much',
  429: 'Too many tries',
  503: 'Not ready at the moment',
}

/** What may be said of something that went wrong. */
export interface Explained {
  readonly status: number
  readonly detail: string
  readonly retryAfterSeconds?: number | undefined
}

/** The same for a script of ours. */
export const faultAnswer = ({ status, detail, retryAfterSeconds }: Explained, id: string): Response =>
  Response.json(
    { ok: false, fault: detail, request_id: id },
    {
      status,
      headers: {
        'cache-control': 'no-store',
        ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      },
    },
  )

/** What a person sees when something went wrong; `id` finds it in the log. */
export function faultPage(
  page: (input: Omit<PageInput, 'host' | 'frame'>) => Response,
  id: string,
  { status, detail, retryAfterSeconds }: Explained,
): Response {
  const title = titles[status] ?? (status >= 500 ? 'Something failed on our side' : 'That did not work')
  return page({
    title,
    status,
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
    children: (
      <Card>
        <Head title={title}>{detail}</Head>
        <p class="hint">
          Should it happen again, say this number: <code>{id}</code>
        </p>
        <ButtonLink href="/app">Go on</ButtonLink>
      </Card>
    ),
  })
}
