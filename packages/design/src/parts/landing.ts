// The first page of a gateway that runs: a deep green head in both schemes, and the rooms of the house.
import { sheet } from '../sheet.ts'

export const LANDING = sheet(`
body { background: var(--surface); font-size: var(--t-lg); overflow-wrap: anywhere; }
.hero { position: relative; overflow: hidden; color-scheme: dark; background: #0b2a22; color: #eef5f1; }
.hero > .mark { position: absolute; width: 46rem; height: 46rem; right: -13rem; top: -9rem; color: #0f3a2f; }
.hero-in { position: relative; max-width: 74rem; margin: 0 auto; padding: var(--s-4) var(--s-6) 4rem; }
.hero .logo { display: flex; align-items: center; gap: .375rem; min-height: 2.75rem; color: #fff; }
.hero .logo .mark { width: 1.5rem; height: 1.5rem; }
.hero .logo .word { width: 5.2rem; height: 1.125rem; }
.hero h1 { font-size: 2.625rem; line-height: 1.12; letter-spacing: -.03em; padding-top: 3rem; max-width: 40rem; }
.hero h1 + p { color: #b9cfc6; margin-top: var(--s-4); max-width: 34rem; }
.acts { display: flex; flex-wrap: wrap; gap: var(--s-3); margin-top: var(--s-6); }
.acts .btn { min-height: 2.75rem; padding: 0 var(--s-4); font-size: .9375rem; background: none; border-color: #4f7a6c; color: #eef5f1; box-shadow: none; }
.acts .btn:first-child { background: #eef5f1; border-color: #eef5f1; color: #0b2a22; }
.hero :focus-visible { outline-color: #fff; }
.land { max-width: 74rem; margin: 0 auto; padding: var(--s-10) var(--s-6) var(--s-12); }
.land h2 { font-size: var(--t-xl); margin-bottom: var(--s-2); }
.land h2 + p { color: var(--soft); margin-bottom: var(--s-4); }
.calls { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: 0 var(--s-8); }
.calls li { border-top: 1px solid var(--line); padding: var(--s-3) 0; font-size: .9375rem; }
.calls code { background: none; padding: 0; font-weight: var(--w-strong); }
@media (max-width: 60rem) { .hero h1 { font-size: 2rem; padding-top: var(--s-8); } .hero-in { padding-bottom: var(--s-10); } }
@media (max-width: 40rem) { .hero > .mark { width: 24rem; height: 24rem; right: -13rem; top: -3rem; } .hero-in, .land { padding-inline: var(--s-4); } .acts .btn { width: 100%; } }
`)
