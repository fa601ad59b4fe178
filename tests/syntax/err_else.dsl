if a { 1 }

else { 2 }
let x = 3
else { 3 }
    * 4
