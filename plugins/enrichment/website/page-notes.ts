import { jsonBounds, parseForeignJson } from 'renown/sources'
import { pageBounds as bounds, type PageLink, type SitePage } from './page'
import { cleanText } from './text'

type Attributes = Readonly<Record<string, string>>

/** The data that is collected from a page during parsing. */
export interface Notes {
  /** Called for the start of an element that is visible or machine-readable. */
  element(name: string, attributes: Attributes): void
  endElement(name: string): void
  beginHeading(): void
  /** Called for text. Text that is not visible can be the data of a script or the name of a link. */
  text(text: string, isSeen: boolean): void
  endBlock(): void
  isFull(): boolean
  page(): Omit<SitePage, 'url' | 'fetched_at' | 'isCut'>
}

/** Collects a page's words, links and data, each within its limit. */
export function createNotes(address: string): Notes {
  const links: PageLink[] = []
  const texts = createTexts()
  const scripts = createScripts()
  const told = { title: '', description: '', phones: [] as string[], languages: [] as string[] }
  let base = address
  let link: { url: string; words: string } | null = null
  let title: string | null = null

  const endLink = () => {
    if (link && links.length < bounds.links)
      links.push({ url: link.url, words: cleanText(link.words, bounds.linkCharacters) })
    link = null
  }
  const beginLink = ({ href = '', 'aria-label': label = '' }: Attributes) => {
    endLink()
    if (href.length > bounds.attributeCharacters) return
    if (/^tel:/i.test(href)) {
      if (told.phones.length < 20) told.phones.push(cleanText(decoded(href.slice(4)), 40))
      return
    }
    const url = URL.parse(href, base)
    if (url && /^https?:$/.test(url.protocol)) link = { url: url.href, words: label }
  }
  const speaks = (language: string | undefined) => {
    if (language && told.languages.length < bounds.languages) told.languages.push(cleanText(language, 35))
  }
  const meta = ({ name = '', property = '', content = '' }: Attributes) => {
    const what = (name || property).toLowerCase()
    if (what === 'og:locale') speaks(content)
    if (!/^(?:og:)?description$/.test(what) || (what !== 'description' && told.description !== '')) return
    told.description = cleanText(content, bounds.attributeCharacters)
  }
  return {
    element(name, attributes) {
      if (name === 'html') speaks(attributes.lang)
      else if (name === 'base') base = baseOf(attributes.href, address) ?? base
      else if (name === 'meta') meta(attributes)
      else if (name === 'link' && attributes.rel?.toLowerCase() === 'alternate') speaks(attributes.hreflang)
      else if (name === 'title' && told.title === '') title = ''
      else if (name === 'a') beginLink(attributes)
      else if (name === 'script') scripts.begin(attributes.type)
    },
    endElement(name) {
      if (name === 'a') endLink()
      if (name === 'script') scripts.end()
      if (name === 'title' && title !== null) {
        told.title = cleanText(title, bounds.headingCharacters)
        title = null
      }
    },
    text(text, isSeen) {
      if (scripts.take(text)) return
      if (title !== null) title = grown(title, text, bounds.headingCharacters * 4)
      else {
        if (link) link.words = grown(link.words, text, bounds.linkCharacters * 4)
        if (isSeen) texts.add(text)
      }
    },
    beginHeading: texts.beginHeading,
    endBlock: texts.end,
    isFull: () => texts.isFull() || scripts.isFull(),
    page: () => ({ ...told, ...texts.read(), links, data: scripts.data }),
  }
}

const grown = (text: string, more: string, max: number) =>
  text.length >= max ? text : text + more.slice(0, max)

function baseOf(href: string | undefined, address: string): string | null {
  const url = href === undefined ? null : URL.parse(href.slice(0, bounds.attributeCharacters), address)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Collects visible text by block, including headings. */
function createTexts() {
  const headings: string[] = []
  const blocks: string[] = []
  let block = ''
  let isHeading = false
  let characters = 0
  const isFull = () => characters >= bounds.textCharacters || blocks.length >= bounds.blocks
  return {
    isFull,
    beginHeading: () => {
      isHeading = true
    },
    add: (text: string) => {
      if (!isFull()) block = grown(block, text, bounds.blockCharacters * 2)
    },
    end: () => {
      const room = Math.min(bounds.blockCharacters, bounds.textCharacters - characters)
      const words = block === '' || room <= 0 ? '' : cleanText(block, room)
      if (words !== '') {
        blocks.push(words)
        characters += words.length
        if (isHeading && headings.length < bounds.headings)
          headings.push(cleanText(words, bounds.headingCharacters))
      }
      block = ''
      isHeading = false
    },
    read: () => ({ headings, blocks }),
  }
}

/** Collects scripts with data. They are parsed as JSON and never run. Other scripts are ignored. */
function createScripts() {
  const data: unknown[] = []
  let script: string | null = null
  let isCut = false
  return {
    data,
    isFull: () => isCut,
    begin(type = '') {
      const isData = type.split(';')[0]?.trim().toLowerCase() === 'application/ld+json'
      script = isData && data.length < bounds.dataBlocks ? '' : null
    },
    /** Whether the text belonged to a script. */
    take(text: string): boolean {
      if (script === null) return false
      if (script.length + text.length > bounds.dataCharacters) {
        isCut = true
        script = null
      } else script += text
      return true
    },
    end() {
      if (script === null) return
      try {
        data.push(parseForeignJson(script, jsonBounds))
      } catch {
        // Ignores broken structured data, because it comes from the website.
      }
      script = null
    },
  }
}
