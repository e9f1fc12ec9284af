// SPDX-License-Identifier: MIT
// The style sheet of the HTML report.
#pragma once

#include <string_view>

namespace msgring::report {

/// Light and dark by the reader's preference; tables become cards on narrow screens; printed dark
/// on white, without the points' facts.
inline constexpr std::string_view kHtmlStyle = R"css(
:root{color-scheme:light dark;--text:#1b1f24;--soft:#57606a;--page:#fff;--card:#f6f8fa;
--line:#d0d7de;--baseline:#0969da;--changed:#bc4c00;--slower:#b3261e;--faster:#1a7f37;
--open:#8a6100}
@media screen and (prefers-color-scheme:dark){:root{--text:#e6edf3;--soft:#9aa4ae;--page:#0d1117;
--card:#161b22;--line:#30363d;--baseline:#58a6ff;--changed:#f0883e;--slower:#ff7b72;
--faster:#3fb950;--open:#e3b341}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:1120px;margin:0 auto;padding:24px 16px 48px}
h1{font-size:1.25rem;margin:0 0 12px}
h2{font-size:1.05rem;margin:32px 0 8px}
h3{font-size:.95rem;margin:0 0 4px;font-weight:600}
p{margin:0 0 8px}
.verdict{border-left:6px solid var(--open);background:var(--card);padding:12px 16px;
font-size:1.15rem;overflow-wrap:anywhere}
.verdict strong{color:var(--open);text-transform:capitalize}
.slower,.invalid{border-color:var(--slower)}.slower strong,.invalid strong{color:var(--slower)}
.faster,.unchanged{border-color:var(--faster)}
.faster strong,.unchanged strong{color:var(--faster)}
.caveat{border-left:6px solid var(--open);padding:4px 16px;color:var(--text)}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:6px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;
overflow-wrap:break-word}
.wide{overflow-x:auto}
th{color:var(--soft);font-weight:600;white-space:nowrap}
.n{text-align:right;white-space:nowrap}
.title th{color:var(--text);padding-top:14px;white-space:normal}
td.failed{color:var(--slower);font-weight:700}
.plots{display:grid;gap:20px;grid-template-columns:repeat(auto-fill,minmax(min(400px,100%),1fr))}
figure{margin:0;padding:12px;background:var(--card);border:1px solid var(--line);
border-radius:6px;break-inside:avoid;max-width:620px}
figcaption{color:var(--soft);font-size:.85rem}
svg{display:block;width:100%;height:auto;font:13px system-ui,sans-serif}
svg text{fill:var(--soft)}svg .role{font-weight:700;fill:currentColor}svg .unit{fill:var(--text)}
.grid{stroke:var(--line);stroke-width:1}
.base{stroke:var(--baseline);stroke-width:1.2;stroke-dasharray:5 4}
.baseline{color:var(--baseline)}.changed{color:var(--changed)}
.dots{stroke:currentColor;stroke-width:4.5;stroke-linecap:round;fill:none;stroke-opacity:.75}
.mean{stroke:currentColor;stroke-width:1.6}.band{fill:currentColor;opacity:.22}
.flame{background:#fff;overflow-x:auto}.flame svg text{fill:#1b1f24}.flame svg{min-width:720px;font:11px ui-monospace,monospace}
pre{overflow-x:auto;font:.8rem/1.4 ui-monospace,monospace}
ul{margin:0;padding-left:20px}li{margin:2px 0;overflow-wrap:anywhere}
code{font:.85em ui-monospace,monospace;overflow-wrap:anywhere}
details{margin:8px 0}summary{cursor:pointer}
@media(max-width:720px){thead{display:none}
table,tbody,tr,td{display:block;width:100%}
.title th{display:block;border:0;padding:8px 0 0}
tr{border-bottom:2px solid var(--line);padding:8px 0}.title{border:0}
td{border:0;padding:2px 0;display:flex;justify-content:space-between;gap:16px;text-align:right;
overflow-wrap:anywhere}
td::before{content:attr(data-label);color:var(--soft);text-align:left;white-space:nowrap}
td:first-child{font-weight:600}}
@media print{:root{color-scheme:light}body{font-size:11px}main{max-width:none;padding:0}
h2,h3,.title{break-after:avoid}tr{break-inside:avoid}th,td{padding:3px 6px}
.plots{display:block}figure{display:inline-block;width:48%;margin:1%}.verdict,figure{background:none}details{display:none}}
)css";

}  // namespace msgring::report
