import type { JudgedLanguage } from './languages'
import { plainOf } from './read-text'

/** Small words of a language, of which there are few, and the endings that tell who did something and when. */
interface Grammar {
  /** The writer: I, me, we, us. */
  readonly me: string
  /** Who is spoken to. */
  readonly you: string
  /** A business, as a group of people. */
  readonly they: string
  readonly not: string
  /** Prepositions that stand before a place or a business. */
  readonly at: string
  /** Prepositions that stand before a business or anything else. */
  readonly of: string
  readonly or: string
  /** Endings of verbs in the past of the writer, where the ending says it. */
  readonly past?: RegExp
  /** Words after which a verb in the past follows: I have. */
  readonly have?: string
}

const grammars: Readonly<Record<JudgedLanguage, Grammar>> = {
  en: {
    me: 'i, me, my, we, us, our, ours, mine, ive, im, id',
    you: 'you, your, yours, u, guys',
    they: 'they, them, their, theyre, theyve, theyd, they ll, theirs',
    not: 'not, no, never, t, nothing, none, without',
    at: 'at',
    of: 'from, with, by, to, in, near, for, of, via',
    or: 'or, vs, versus, than',
    past: /ed$/,
    have: 'i, we',
  },
  de: {
    me: 'ich, mir, mich, mein, meine, meinen, meinem, meiner, wir, uns, unser, unsere, unseren, unserem, hab, habe, haben, bin, war, waren',
    you: 'du, dir, dich, ihr, euch, dein, deine, eure, sie, ihnen',
    they: 'die, deren, denen, dort',
    not: 'nicht, kein, keine, keinen, nie, nichts, ohne',
    at: 'im, beim, bei, ins',
    of: 'von, vom, mit, zu, zum, in, nach, für, am',
    or: 'oder, vs, als',
    past: /^(?:.{0,8}ge|ver|be|er).{3,24}(?:t|en)$/,
    have: 'hab, habe, haben, bin, sind, wurde, hat',
  },
  fr: {
    me: 'je, j, me, m, moi, mon, ma, mes, nous, notre, nos, on',
    you: 'tu, te, t, toi, vous, votre, vos, ton, ta, tes',
    they: 'ils, elles, leur, leurs, eux',
    not: 'pas, jamais, rien, sans, aucun, plus',
    at: 'chez',
    of: 'de, d, avec, à, au, par, du, pour, dans, en',
    or: 'ou, vs, que',
    past: /(é|ée|és|ées|i|is|u|us|ert)$/,
    have: 'ai, avons, suis, sommes, a',
  },
  es: {
    me: 'yo, me, mi, mis, nos, nosotros, nuestro, nuestra, he, hemos, tengo, tuve, fui, fuimos, mí',
    you: 'tú, te, tu, os, vosotros, usted, ustedes, vuestro',
    they: 'ellos, ellas, les, allí, ahí',
    not: 'no, nunca, nada, sin, ni, tampoco',
    at: 'en',
    of: 'con, de, a, del, al, desde, por, para',
    or: 'o, u, vs',
    past: /(é|amos|imos)$/,
    have: 'he, hemos, han, ha',
  },
  it: {
    me: 'io, mi, mio, mia, miei, mie, ci, noi, nostro, nostra, ho, abbiamo, sono, me',
    you: 'tu, ti, voi, vi, tuo, tua, vostro, te',
    they: 'loro, gli',
    not: 'non, mai, niente, nessuno, senza, nulla',
    at: 'da, dal, dalla',
    of: 'alla, al, della, del, in, di, con, nella, per',
    or: 'o, oppure, vs, altro che',
    past: /(ato|ata|ati|ate|uto|uta|uti|ito|ita|iti|eso|esa|tto|tta|sto)$/,
    have: 'ho, abbiamo, sono, siamo, ha, hanno',
  },
  nl: {
    me: 'ik, me, mij, mijn, m, we, wij, ons, onze, k',
    you: 'je, jij, jou, jouw, jullie, u, uw',
    they: 'ze, zij, hun, hen',
    not: 'niet, geen, nooit, niets, zonder',
    at: 'bij',
    of: 'van, via, met, naar, in, op, aan, door, over',
    or: 'of, vs, dan',
    past: /^(?:.{0,8}ge|be|ver).{3,24}(?:t|d|en)$/,
    have: 'heb, hebben, ben, zijn, heeft',
  },
  pl: {
    me: 'ja, mi, mnie, mój, moja, moje, moją, my, nam, nas, nasz, nasza, mną',
    you: 'ty, ci, cię, wy, wam, was, wasz, twój, pan, pani',
    they: 'oni, ich, im, nich, nim, tam',
    not: 'nie, nigdy, nic, bez, żaden',
    at: 'w, we, u',
    of: 'do, z, ze, od, na, o, przez, dla',
    or: 'czy, albo, lub, niż',
    past: /(łam|łem|liśmy|łyśmy|łaś|łeś)$/,
  },
  tr: {
    me: 'ben, bana, beni, benim, biz, bize, bizim, bizi, bende',
    you: 'sen, sana, siz, size, sizin, senin',
    they: 'onlar, onlara, onların, orada, oraya, orası',
    not: 'değil, yok, hiç, asla, ne',
    at: '-',
    of: '-',
    or: 'mı, mi, mu, mü, yoksa, ya da',
    past: /(dım|dim|dum|düm|tım|tim|tum|tüm|dık|dik|duk|dük|tık|tik|tuk|tük|yorum|yoruz)$/,
  },
  ru: {
    me: 'я, мне, меня, мной, мой, моя, моё, мои, моей, мы, нам, нас, наш, наша, у меня',
    you: 'ты, тебе, тебя, вы, вам, вас, ваш',
    they: 'они, им, их, них, там, туда, оттуда',
    not: 'не, нет, никогда, ничего, без, ни',
    at: 'в, во',
    of: 'из, у, с, до, на, к, от, про, через',
    or: 'или, либо, чем',
    past: /(ал|ала|или|али|ил|ила|ел|ела|ели|лся|лась|лись|ял|яла|яли)$/,
  },
  ar: {
    me: 'انا, احنا, نحن, عندي, معي, معايا, لي, ليا, عندنا, لنا, بدي',
    you: 'انت, انتي, انتو, انتم, لك, عندك, يا',
    they: 'هم, هما, عندهم, معاهم, معهم, منهم, فيهم, كلمتهم, عندن',
    not: 'لا, ما, مش, مو, لم, لن, ليس, بدون, ولا',
    at: 'عند, في',
    of: 'من, عن, مع, على, الى, محل, مطعم',
    or: 'ولا, او, أو, غير',
    past: /^.{2,}(ت|نا|ني)$/,
  },
}

/** The small words of a language as sets of plain words. */
export interface SmallWords {
  readonly me: ReadonlySet<string>
  readonly you: ReadonlySet<string>
  readonly they: ReadonlySet<string>
  readonly not: ReadonlySet<string>
  readonly at: ReadonlySet<string>
  readonly of: ReadonlySet<string>
  readonly or: ReadonlySet<string>
  readonly have: ReadonlySet<string>
  readonly past: RegExp | null
}

const setOf = (row = '') => new Set(row.split(',').map((word) => plainOf(word.trim())))
const built = new Map<JudgedLanguage, SmallWords>()

/** Returns the small words of a language. */
export function smallWords(language: JudgedLanguage): SmallWords {
  const known = built.get(language)
  if (known) return known
  const { me, you, they, not, at, of, or, have, past } = grammars[language]
  const words = {
    me: setOf(me),
    you: setOf(you),
    they: setOf(they),
    not: setOf(not),
    at: setOf(at),
    of: setOf(of),
    or: setOf(or),
    have: setOf(have),
    past: past ?? null,
  }
  built.set(language, words)
  return words
}
