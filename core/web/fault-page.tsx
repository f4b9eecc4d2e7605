/** @jsxImportSource ./jsx */
import type { Visit } from './define-page'
import { ButtonLink, Card, Head } from './kit'

const titles: Readonly<Record<number, string>> = {
  403: 'That was not accepted',
  404: 'There is no such page',
  405: 'There is no such page',
  413: 'That is too much',
  429: 'Too many tries',
  503: 'Not ready at the moment',
}

/** What a person sees when something went wrong. */
export function faultPage(visit: Visit, { status, detail }: { status: number; detail: string }): Response {
  const title = titles[status] ?? (status >= 500 ? 'Something failed on our side' : 'That did not work')
  return visit.page({
    title,
    status,
    children: (
      <Card>
        <Head title={title}>{detail}</Head>
        <p class="hint">
          Should it happen again, say this number: <code>{visit.state.id}</code>
        </p>
        <ButtonLink href="/app">Go on</ButtonLink>
      </Card>
    ),
  })
}
