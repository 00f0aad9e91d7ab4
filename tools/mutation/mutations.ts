import ts from "typescript";

/** A single change in a source file: `text` replaces the code between the offsets [UTF-16 units]. */
export type Mutation = {
  readonly file: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
};

const operators: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">"],
  "<=": ["<", ">"],
  ">": [">=", "<"],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "&&": ["||"],
  "||": ["&&"],
};
const methods: Readonly<Record<string, string>> = {
  ...{ min: "max", max: "min", floor: "ceil", ceil: "floor", round: "floor" },
  ...{ some: "every", every: "some" },
};

/** Lists all mutations of a file. Types, imports and texts are excluded; the compiler and other tests check them. */
export function listMutations(file: string, source: string): Mutation[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const add = (node: ts.Node, ...texts: readonly string[]) => {
    const from = node.getStart(tree);
    const line = tree.getLineAndCharacterOfPosition(from).line + 1;
    for (const text of texts) found.push({ file, line, from, to: node.getEnd(), text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    mutate(node, add);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Whether a literal is the fallback in `list[index] ?? 0`, which the compiler requires but which is never reached. */
function isFallback({ parent }: ts.Node): boolean {
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
}

function mutate(node: ts.Node, add: (node: ts.Node, ...texts: readonly string[]) => void): void {
  if (ts.isBinaryExpression(node)) add(node.operatorToken, ...(operators[node.operatorToken.getText()] ?? []));
  else if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent) && !isFallback(node))
    add(node, String(Number(node.text.replaceAll("_", "")) + 1));
  else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false");
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true");
  else if (ts.isPrefixUnaryExpression(node) && /^[!-]/.test(node.getText())) add(node, node.operand.getText());
  else if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText()})`);
  else if (ts.isIfStatement(node)) add(node.expression, "true", "false");
  else if (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)) add(node, ";");
  else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
    const other = Object.hasOwn(methods, node.name.text) && methods[node.name.text];
    if (other) add(node.name, other);
  }
}
