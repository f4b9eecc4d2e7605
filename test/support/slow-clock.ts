/** Loaded before the product: its time stands at noon of one day, and passes twenty times more slowly. */
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const apart = 10_000
let asked = 0
/** The first moments are never the same one, so that what happens at the start keeps its order. */
const now = () => noon + Math.min(asked++, apart) + Math.floor(performance.now() / 20)

globalThis.Date = new Proxy(Date, {
  construct: (target, given, maker) => Reflect.construct(target, given.length > 0 ? given : [now()], maker),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
