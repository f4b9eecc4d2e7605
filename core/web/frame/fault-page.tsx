/** @jsxImportSource ../kit/jsx */
import { ButtonLink, Card, Head } from '../kit/parts/kit'
import type { PageInput } from './page'

const titles: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'Sign in first',
  403: 'You may not do this',
  404: 'Page not found',
  405: 'Method not allowed',
  409: 'This is not possible in the current state',
  413: 'The request is too large',
  415: 'Format not accepted',
  422: 'Something in the form is not valid',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
}

/** The part of an error that people may see. */
export interface Explained {
  readonly status: number
  readonly detail: string
  readonly retryAfterSeconds?: number | undefined
}

/** The same error for scripts of Renown, as JSON. */
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

/** Returns the page for an error. `id` finds it in the log. */
export function faultPage(
  page: (input: Omit<PageInput, 'host' | 'frame'>) => Response,
  id: string,
  { status, detail, retryAfterSeconds }: Explained,
): Response {
  const title = titles[status] ?? (status >= 500 ? 'Something went wrong' : 'That did not work')
  return page({
    title,
    status,
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
    children: (
      <Card>
        <Head title={title}>{detail}</Head>
        <p class="hint">
          If it happens again, report this number: <code>{id}</code>
        </p>
        <ButtonLink href="/app">Continue</ButtonLink>
      </Card>
    ),
  })
}
