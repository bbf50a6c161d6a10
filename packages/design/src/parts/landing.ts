// The first page of a gateway that runs: a deep green head in both schemes, and the rooms of the house. And
// where a wrong turn leads.
import { sheet } from '../sheet.ts'

export const LANDING = sheet(`
body { background: var(--surface); font-size: var(--t-lg); overflow-wrap: anywhere; }
.hero { position: relative; overflow: hidden; color-scheme: dark; background: #0b2a22; color: #eef5f1; }
.hero > .mark { position: absolute; width: 46rem; height: 46rem; right: -13rem; top: -9rem; color: #0f3a2f; }
.hero-in { position: relative; max-width: 74rem; margin: 0 auto; padding: var(--s-4) var(--s-6) 4rem; }
.hero .logo { display: flex; align-items: center; gap: .375rem; min-height: 2.75rem; color: #fff; }
.hero .logo .mark { width: 1.5rem; height: 1.5rem; }
.hero .logo .word { width: 5.2rem; height: 1.125rem; }
.hero-grid { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 34rem); gap: 4rem; align-items: center; padding-top: 3rem; }
.hero-grid.alone { grid-template-columns: minmax(0, 1fr); }
.hero h1 { font-size: 2.625rem; line-height: 1.12; letter-spacing: -.03em; max-width: 40rem; }
.hero h1 + p { color: #b9cfc6; margin-top: var(--s-4); max-width: 34rem; }
.acts { display: flex; flex-wrap: wrap; gap: var(--s-3); margin-top: var(--s-6); }
.acts .btn { min-height: 2.75rem; padding: 0 var(--s-4); font-size: .9375rem; background: none; border-color: #4f7a6c; color: #eef5f1; box-shadow: none; }
.acts .btn:first-child { background: #eef5f1; border-color: #eef5f1; color: #0b2a22; }
.hero :focus-visible { outline-color: #fff; }
.term { background: #071b16; border: 1px solid #1d4a3d; border-radius: var(--r-lg); box-shadow: 0 24px 60px rgb(0 0 0 / .35); }
.term p { display: flex; justify-content: space-between; gap: var(--s-4); padding: .5rem var(--s-4); font-size: var(--t-xs); color: #a9c2b9; border-bottom: 1px solid #163c31; }
.term pre { margin: 0; padding: var(--s-4); font: .8125rem/1.7 var(--mono); overflow-x: auto; color: #e8eeea; user-select: all; }
.land { max-width: 74rem; margin: 0 auto; padding: var(--s-10) var(--s-6) var(--s-12); }
.land h2 { font-size: var(--t-xl); margin-bottom: var(--s-2); }
.land h2 + p { color: var(--soft); margin-bottom: var(--s-4); }
.land section + section { margin-top: var(--s-10); padding-top: var(--s-8); border-top: 1px solid var(--line); }
.three { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--s-8); }
.three h2 { font-size: var(--t-lg); display: flex; align-items: center; gap: var(--s-2); }
.three p { color: var(--soft); font-size: .9375rem; }
.three pre { margin: var(--s-3) 0 0; padding: var(--s-3) var(--s-4); background: var(--sunken); border: 1px solid var(--line); border-radius: var(--r-md); font: .8125rem/1.6 var(--mono); overflow-x: auto; user-select: all; }
.no { display: inline-grid; place-items: center; width: 1.5rem; height: 1.5rem; border-radius: 50%; background: var(--tint); color: var(--accent); font-weight: var(--w-bold); font-size: var(--t-sm); flex: none; }
.rooms { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0 var(--s-8); }
.rooms a { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr); gap: var(--s-3); align-items: center; min-height: 4rem; height: 100%; border-top: 1px solid var(--line); color: inherit; text-decoration: none; }
.rooms a:hover b { text-decoration: underline; } .rooms .i { color: var(--accent); }
.rooms b { font-weight: var(--w-strong); font-size: .9375rem; } .rooms small { display: block; color: var(--soft); font-size: var(--t-sm); }
.calls { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: 0 var(--s-8); }
.calls li { border-top: 1px solid var(--line); padding: var(--s-3) 0; font-size: .9375rem; }
.calls code { background: none; padding: 0; font-weight: var(--w-strong); }
@media (max-width: 60rem) { .hero-grid, .three { grid-template-columns: minmax(0, 1fr); gap: var(--s-8); } .hero-grid { padding-top: var(--s-8); } .rooms { grid-template-columns: repeat(2, minmax(0, 1fr)); } .hero h1 { font-size: 2rem; } .hero-in { padding-bottom: var(--s-10); } }
@media (max-width: 40rem) { .hero > .mark { width: 24rem; height: 24rem; right: -13rem; top: -3rem; } .hero-in, .land { padding-inline: var(--s-4); } .rooms { grid-template-columns: minmax(0, 1fr); } .acts .btn { width: 100%; } }
`)

/** One column in the middle: what happened, where to go, and the request. */
export const WRONG_TURN = sheet(`
body { min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; font-size: var(--t-lg); padding: var(--s-6) var(--s-4); overflow-wrap: anywhere; }
.turn { width: 100%; max-width: 34rem; padding: var(--s-8); background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-xl); }
.turn .logo { display: flex; align-items: center; gap: .375rem; color: var(--accent); margin-bottom: var(--s-6); }
.turn .logo .mark { width: 1.5rem; height: 1.5rem; } .turn .logo .word { width: 5.2rem; height: 1.125rem; color: var(--ink); }
.turn h1 { font-size: 1.5rem; letter-spacing: -.02em; } .turn h1 + p { margin-top: var(--s-2); color: var(--soft); }
.turn .ways { display: flex; flex-wrap: wrap; gap: var(--s-2); margin-top: var(--s-6); } .turn .btn { min-height: 2.75rem; padding: 0 var(--s-4); font-size: .9375rem; }
.turn .id { margin-top: var(--s-6); padding-top: var(--s-4); border-top: 1px solid var(--line); color: var(--soft); font-size: var(--t-xs); }
@media (max-width: 30rem) { .turn { padding: var(--s-5); } .turn .btn { width: 100%; } }
`)
