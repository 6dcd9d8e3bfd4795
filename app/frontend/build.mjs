// Bundles editor.js into ../static/editor.bundle.js, and beside it the licences of every package that went in.

import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const out = "../static/editor.bundle.js";
const { metafile } = await build({
  entryPoints: ["editor.js"],
  outfile: out,
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  legalComments: "inline",
  banner: { js: "/* Made by `make frontend` from app/frontend; licences in editor.bundle.LICENSES.txt */" },
  metafile: true,
});

const packages = new Set(
  Object.entries(Object.values(metafile.outputs)[0].inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1])
    .filter(Boolean),
);
const licences = [...packages].sort().map((name) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const file = readdirSync(`node_modules/${name}`).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version} (${license})\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8").trim()}\n`;
});
writeFileSync("../static/editor.bundle.LICENSES.txt", licences.join(`\n${"-".repeat(80)}\n\n`));

const bytes = readFileSync(out);
console.log(`${out}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped, ${packages.size} packages`);
