import { Refusal } from '../contracts/errors'
import { prefers } from '../requests/accept'
import { type Page, publicPageOf, sendFixed } from './answer'
import { guideList, guideListText, guidePage, guidePolicy } from './guide-page'
import { guideNamed, guidesByReader } from './guides'

/** Path of the documents. */
export const docsPath = '/docs/'

const markdown = { 'content-type': 'text/markdown; charset=utf-8', 'access-control-allow-origin': '*' }

/** Returns Markdown as an answer that is the same for everybody. */
export const markdownPageOf = (text: string): Page => publicPageOf(new TextEncoder().encode(text), markdown)

/** Whether a request asks for Markdown by name, and for HTML less. */
export const namesMarkdown = ({ headers }: Request): boolean =>
  prefers(headers.get('accept'), 'text/markdown', 'text/html')

/** Returns an answer whose form depends on the Accept header of the request. */
export const varying = ({ body, headers }: Page): Page => ({ body, headers: { ...headers, vary: 'Accept' } })

/** Answers `/docs/<name>`, as a page or as Markdown, and `/docs/<name>.md`. Answers are made when first asked for. */
export function createDocsFiles() {
  const texts = new Map<string, Page>()
  const pages = new Map<string, Page>()
  return (request: Request, path: string): Response => {
    const name = path.slice(docsPath.length)
    const isFile = name.endsWith('.md')
    const guide = named(isFile ? name.slice(0, -3) : name)
    if (!guide) throw new Refusal('not_found', 'There is no such document. /docs/guides.md lists all.')
    const isText = isFile || !prefers(request.headers.get('accept'), 'text/html', 'text/markdown')
    const [known, make] = isText
      ? [texts, () => markdownPageOf(guide.text)]
      : [pages, () => publicPageOf(new TextEncoder().encode(guidePage(guide)), html)]
    const page = known.get(guide.name) ?? make()
    known.set(guide.name, page)
    return sendFixed(request, isFile ? page : varying(page))
  }
}

const html = { ...guidePolicy, 'content-type': 'text/html; charset=utf-8' }

const named = (name: string) =>
  name === guideList ? { name, title: 'Guides', text: guideListText() } : guideNamed(name)

/** Returns the chapters of `llms.txt` about the documents, one line for each. */
export const guideLines = (origin: string): readonly string[] =>
  [...guidesByReader()].flatMap(([reader, all]) => [
    `## ${reader}`,
    '',
    ...all.map(
      ({ name, title, summary }) =>
        `- [${title}](${origin}${docsPath}${name}.md)${summary && `: ${summary}`}`,
    ),
    '',
  ])
