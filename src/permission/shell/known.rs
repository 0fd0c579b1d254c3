//! The commands that only read, each with the options that are known to be harmless. Any other option asks.
//!
//! Left out on purpose: what runs, pages or decompresses something, follows links below a folder, reads names
//! out of a file, writes to a file that an option names, or waits for more (`tail -f`).

/// How what is no option is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Paths; without one it reads its input.
    Paths,
    /// Paths of which nothing but the names and what the system says of them is looked at.
    Facts,
    /// Paths; in folders, what lies in them, and what links in them lead to.
    Compared,
    /// Paths; without one it looks at the folder it runs in.
    Here,
    /// A pattern, then paths.
    Pattern,
    /// A pattern, then paths; without one everything in the folder it runs in is read.
    Search,
    /// At most one path.
    One,
    /// Text, none of it a path.
    Text,
    /// A format of `printf`, then text.
    Format,
    /// At most one folder to go to.
    Folder,
    /// An expression of `test`.
    Test,
    /// Starting points and an expression of `find`.
    Find,
    /// A script of `sed` that prints, then paths.
    Sed,
}

/// One command.
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// The letters of options that take no value.
    pub(super) flags: &'static str,
    /// The letters of those that take one.
    pub(super) valued: &'static str,
    /// Long options; one that ends in `=` takes a value, one that ends in `?` may.
    pub(super) long: &'static str,
    /// The shell does it itself.
    pub(super) builtin: bool,
}

const fn known(
    name: &'static str,
    shape: Shape,
    flags: &'static str,
    valued: &'static str,
    long: &'static str,
) -> Known {
    Known {
        name,
        shape,
        flags,
        valued,
        long,
        builtin: false,
    }
}

const fn builtin(name: &'static str, shape: Shape, flags: &'static str) -> Known {
    Known {
        name,
        shape,
        flags,
        valued: "",
        long: "",
        builtin: true,
    }
}

/// The entry of `name`.
pub(super) fn find(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

const KNOWN: &[Known] = &[
    builtin("[", Shape::Test, ""),
    builtin("[[", Shape::Test, ""),
    builtin("cd", Shape::Folder, ""),
    builtin("echo", Shape::Text, "neE"),
    builtin("false", Shape::Text, ""),
    builtin("printf", Shape::Format, ""),
    builtin("pwd", Shape::Text, "LP"),
    builtin("test", Shape::Test, ""),
    builtin("true", Shape::Text, ""),
    builtin(":", Shape::Text, ""),
    known("basename", Shape::Text, "az", "s", "multiple suffix= zero"),
    known(
        "cat",
        Shape::Paths,
        "AbeEnstTuv",
        "",
        "show-all number number-nonblank show-ends squeeze-blank show-tabs \
    show-nonprinting",
    ),
    known(
        "cmp",
        Shape::Paths,
        "bls",
        "n",
        "print-bytes verbose quiet silent bytes=",
    ),
    known(
        "comm",
        Shape::Paths,
        "123z",
        "",
        "check-order nocheck-order total output-delimiter=",
    ),
    known(
        "cut",
        Shape::Paths,
        "nsz",
        "bcdf",
        "bytes= characters= delimiter= fields= complement only-delimited \
    output-delimiter= zero-terminated",
    ),
    known(
        "diff",
        Shape::Compared,
        "abBdeinNpqstuwy",
        "CUW",
        "brief unified? context? side-by-side ignore-case ignore-all-space \
    ignore-space-change ignore-blank-lines report-identical-files text minimal \
    width= color?",
    ),
    known("dirname", Shape::Text, "z", "", "zero"),
    known(
        "du",
        Shape::Here,
        "0abchkmsSx",
        "dt",
        "all apparent-size bytes total max-depth= human-readable summarize si \
    one-file-system separate-dirs exclude= threshold=",
    ),
    known(
        "file",
        Shape::Facts,
        "0bdhiNrv",
        "F",
        "brief mime mime-type mime-encoding no-dereference no-pad extension",
    ),
    known("find", Shape::Find, "", "", ""),
    known(
        "grep",
        Shape::Pattern,
        "EFGPivwxcLlnHhoqsrabZzTUI0123456789",
        "eABCm",
        "extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case \
    no-ignore-case invert-match word-regexp line-regexp count color? colour? \
    files-with-matches files-without-match max-count= only-matching quiet silent \
    no-messages byte-offset with-filename no-filename label= line-number initial-tab \
    null after-context= before-context= context= text binary-files= include= \
    exclude= exclude-dir= recursive",
    ),
    known(
        "head",
        Shape::Paths,
        "qvz0123456789",
        "cn",
        "bytes= lines= quiet silent verbose zero-terminated",
    ),
    known(
        "ls",
        Shape::Here,
        "1aAbBcCdfFgGhiIklmnNopqQrRsStuUvxXZ",
        "Tw",
        "all almost-all author escape color? directory classify? full-time \
    group-directories-first human-readable hide= ignore= inode literal \
    numeric-uid-gid no-group quote-name reverse recursive size sort= time= \
    time-style= width= zero format= block-size= si",
    ),
    known(
        "nl",
        Shape::Paths,
        "p",
        "bdfhilnsvw",
        "body-numbering= number-format= number-width=",
    ),
    known(
        "readlink",
        Shape::Facts,
        "efmnqsvz",
        "",
        "canonicalize canonicalize-existing canonicalize-missing no-newline",
    ),
    known(
        "realpath",
        Shape::Facts,
        "emqsz",
        "",
        "canonicalize-existing canonicalize-missing quiet strip no-symlinks zero",
    ),
    known(
        "rg",
        Shape::Search,
        "nNiSswxvclFoHIUuP.0qap",
        "egtTmMjrEdABC",
        "regexp= glob= iglob= type= type-not= max-count= max-depth= max-columns= \
    max-filesize= context= after-context= before-context= color= colors= sort= \
    sortr= replace= encoding= engine= files hidden no-hidden no-ignore no-ignore-vcs \
    no-ignore-parent ignore-case smart-case case-sensitive fixed-strings word-regexp \
    line-regexp line-number no-line-number count count-matches files-with-matches \
    files-without-match heading no-heading multiline multiline-dotall only-matching \
    vimgrep json stats trim column no-column invert-match no-filename with-filename \
    null pcre2 no-messages quiet passthru text unrestricted no-config byte-offset \
    pretty",
    ),
    known(
        "sed",
        Shape::Sed,
        "nErs",
        "",
        "quiet silent regexp-extended separate",
    ),
    known(
        "seq",
        Shape::Text,
        "w",
        "fs",
        "equal-width format= separator=",
    ),
    known("sha256sum", Shape::Paths, "bt", "", "binary text tag"),
    known("md5sum", Shape::Paths, "bt", "", "binary text tag"),
    known(
        "sort",
        Shape::Paths,
        "bcCdfghiMnrRsuVz",
        "kt",
        "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort \
    human-numeric-sort ignore-nonprinting month-sort numeric-sort reverse sort= \
    version-sort check? key= stable field-separator= unique zero-terminated",
    ),
    known(
        "stat",
        Shape::Facts,
        "ft",
        "c",
        "file-system format= printf= terse",
    ),
    known(
        "tail",
        Shape::Paths,
        "qvz0123456789",
        "cn",
        "bytes= lines= quiet silent verbose zero-terminated",
    ),
    known(
        "tr",
        Shape::Text,
        "cCdst",
        "",
        "complement delete squeeze-repeats truncate-set1",
    ),
    known(
        "uniq",
        Shape::One,
        "cdDiuz",
        "fsw",
        "count repeated all-repeated? ignore-case unique skip-fields= skip-chars= \
    check-chars= zero-terminated",
    ),
    known(
        "wc",
        Shape::Paths,
        "clLmw",
        "",
        "bytes chars lines words max-line-length",
    ),
];
